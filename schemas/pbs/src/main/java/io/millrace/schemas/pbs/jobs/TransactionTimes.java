package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;

/** When an open transaction ends by itself. */
public final class TransactionTimes {
  /** Longest time: nodes that nobody may use for long would be lost to all. */
  public static final long OPEN_MAX_MS = 600_000;

  private TransactionTimes() {}

  /**
   * Whether the open transaction of a reservation ends by itself. That of a part does not: what was
   * said to be held has to be there when all parts are told to stay.
   */
  public static boolean endsByItself(Reservation reservation) {
    return reservation.getPending() != null && reservation.getWhole() == null;
  }

  /**
   * After ten minutes, or earlier with the first start or end, of what is and of what is to be,
   * that comes after its opening.
   */
  public static long dueMs(Reservation reservation) {
    ReservationTransaction open = reservation.getPending();
    long dueMs = open.getOpenedMs() + OPEN_MAX_MS;
    dueMs = earlier(dueMs, reservation.getSpec(), reservation.getStartedMs() >= 0);
    ReservationSpec then = open.getSpec();
    return then == null ? dueMs : earlier(dueMs, then, reservation.getStartedMs() >= 0);
  }

  private static long earlier(long dueMs, ReservationSpec spec, boolean begun) {
    return Math.min(dueMs, begun ? spec.getEndMs() : spec.getStartMs());
  }
}
