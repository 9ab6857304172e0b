package io.millrace.reservations.classad.asked;

import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.ReservationQueue;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When a reservation has how many nodes, for {@code plus_rsvutil}: its window, its later
 * occurrences and those that are over, once it is confirmed. Of one that was deleted the time until
 * then counts.
 *
 * @param owner whose it is
 */
public record ReservedTimes(long number, String owner, List<Time> times) {

  /** Most reservations that have ended which a shard keeps. */
  public static final int PAST_MAX = 10_000;

  private static final double HOUR_MS = 3_600_000;
  private static final double SECOND_MS = 1_000;

  /** A time with so many nodes. */
  public record Time(long fromMs, long toMs, int nodes) {}

  /** What one has that has not ended. */
  public static ReservedTimes of(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    List<Time> times = new ArrayList<>();
    if (ReservationQueue.exists(reservation) && spec.getMaintained().isEmpty()) {
      for (BookedTime time : BookedTime.occurrences(reservation)) {
        times.add(new Time(time.startMs(), time.endMs(), time.booked().size()));
      }
    }
    return new ReservedTimes(reservation.getNumber(), spec.getOwner(), List.copyOf(times));
  }

  /** What one has had that is over. */
  public static ReservedTimes of(PastReservation past) {
    return ended(past.getReservation(), past.getEndedMs());
  }

  /**
   * What one has had that is over.
   *
   * @param last as it was when it ended
   */
  public static ReservedTimes ended(Reservation last, long endedMs) {
    boolean deleted = last.getState() == ReservationState.DELETED;
    List<Time> times = new ArrayList<>();
    for (Time time : of(last).times()) {
      long toMs = deleted ? Math.min(time.toMs(), endedMs) : time.toMs();
      if (toMs > time.fromMs()) {
        times.add(new Time(time.fromMs(), toMs, time.nodes()));
      }
    }
    return new ReservedTimes(last.getNumber(), last.getSpec().getOwner(), List.copyOf(times));
  }

  /** The sums of what somebody's reservations have between two moments. */
  public static Utilisation.ReservationSum sum(
      Iterable<ReservedTimes> all, String owner, Instant from, Instant to) {
    long fromMs = from.toEpochMilli();
    long toMs = to.toEpochMilli();
    long count = 0;
    double seconds = 0;
    double nodeHours = 0;
    for (ReservedTimes each : all) {
      boolean counts = false;
      for (Time time : each.owner().equals(owner) ? each.times() : List.<Time>of()) {
        long lengthMs = Math.min(time.toMs(), toMs) - Math.max(time.fromMs(), fromMs);
        if (lengthMs > 0) {
          counts = true;
          seconds += lengthMs / SECOND_MS;
          nodeHours += lengthMs / HOUR_MS * time.nodes();
        }
      }
      count += counts ? 1 : 0;
    }
    return new Utilisation.ReservationSum(count, seconds, nodeHours);
  }
}
