package io.millrace.reservations.classad.plus;

import java.time.Instant;

/** What of reservations somebody has; the caller knows. */
@FunctionalInterface
public interface Utilisation {

  /**
   * Sums of reservations.
   *
   * @param reservations how many
   * @param duration_s the sum of their lengths in seconds
   * @param nodeHours the sum of their lengths in hours, each times its nodes
   */
  record ReservationSum(long reservations, double duration_s, double nodeHours) {}

  /**
   * What an owner's reservations have between two moments: of one that is partly between them, that
   * part.
   */
  ReservationSum of(String owner, Instant from, Instant to);
}
