package io.millrace.schedulers.gridengine.language.cluster;

import java.util.Optional;

/** How a request and an offer are compared: REQUEST relation OFFER must hold. */
public enum Relation {
  EQUAL("=="),
  UNEQUAL("!="),
  AT_MOST("<="),
  BELOW("<"),
  AT_LEAST(">="),
  ABOVE(">"),
  EXCLUSIVE("EXCL");

  private final String sign;

  Relation(String sign) {
    this.sign = sign;
  }

  public String sign() {
    return sign;
  }

  static Optional<Relation> of(String sign) {
    for (Relation relation : values()) {
      if (relation.sign.equalsIgnoreCase(sign)) {
        return Optional.of(relation);
      }
    }
    return Optional.empty();
  }

  public boolean holds(double request, double offer) {
    return switch (this) {
      case EQUAL -> request == offer;
      case UNEQUAL -> request != offer;
      case AT_MOST -> request <= offer;
      case BELOW -> request < offer;
      case AT_LEAST -> request >= offer;
      case ABOVE -> request > offer;
      case EXCLUSIVE -> request == 0 || request <= offer;
    };
  }

  /**
   * The one of two offers on the same level that counts: the scarcer, or the first where neither is
   * scarcer.
   */
  public double scarcer(double first, double second) {
    return switch (this) {
      case AT_LEAST, ABOVE -> Math.max(first, second);
      case EQUAL, UNEQUAL -> first;
      case AT_MOST, BELOW, EXCLUSIVE -> Math.min(first, second);
    };
  }
}
