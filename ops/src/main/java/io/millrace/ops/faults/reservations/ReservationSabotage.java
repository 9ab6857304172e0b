package io.millrace.ops.faults.reservations;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Faults that can be planted, to see whether they are found. */
public enum ReservationSabotage {
  /** A part is held, and nobody ever tells it what was decided. */
  FORGET_SETTLE,
  /** The nodes of a part are confirmed to another part of its whole, too. */
  CONFIRM_TWICE,
  /** A part of a whole that stays is ended, as if its shard had forgotten it. */
  DROP_PART;

  /** Name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<ReservationSabotage> of(String text) {
    return Arrays.stream(values()).filter(it -> it.text().equals(text)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(ReservationSabotage::text).collect(Collectors.joining("|"));
  }
}
