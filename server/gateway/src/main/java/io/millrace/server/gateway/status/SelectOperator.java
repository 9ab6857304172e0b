package io.millrace.server.gateway.status;

import java.util.Locale;
import java.util.Optional;

/** How qselect compares a job with a wanted value. */
enum SelectOperator {
  EQ,
  NE,
  GE,
  GT,
  LE,
  LT;

  private static final int LENGTH = ".eq.".length();

  /** An operator and what stands behind it. */
  record SelectCondition(SelectOperator operator, String value) {
    boolean holds(int comparison) {
      return operator.holds(comparison);
    }

    /** Whether it applies to values without an order: only equal and unequal do. */
    boolean unordered() {
      return operator == EQ || operator == NE;
    }
  }

  /** Reads {@code .op.value}, or a value alone, which is to be equal; nothing for a wrong one. */
  static Optional<SelectCondition> read(String text) {
    if (!text.startsWith(".")) {
      return Optional.of(new SelectCondition(EQ, text));
    }
    for (SelectOperator each : values()) {
      String sign = "." + each.name().toLowerCase(Locale.ROOT) + ".";
      if (text.startsWith(sign)) {
        return Optional.of(new SelectCondition(each, text.substring(LENGTH)));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether the result of a comparison satisfies the operator.
   *
   * @param comparison negative when the job has less, 0 when it has the same
   */
  boolean holds(int comparison) {
    return switch (this) {
      case EQ -> comparison == 0;
      case NE -> comparison != 0;
      case GE -> comparison >= 0;
      case GT -> comparison > 0;
      case LE -> comparison <= 0;
      case LT -> comparison < 0;
    };
  }
}
