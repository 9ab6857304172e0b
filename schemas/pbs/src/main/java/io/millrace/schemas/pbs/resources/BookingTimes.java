package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.state.NodeBooking;
import java.util.Collections;
import java.util.List;

/**
 * The times of one booking. Those of a standing reservation are one record for many occurrences
 * that lie on the same nodes, so that thousands of them cost a shard a few records of each node.
 */
public final class BookingTimes {
  private BookingTimes() {}

  /** Takes one time; its end is not part of it. */
  @FunctionalInterface
  public interface BookingTimeVisitor {
    void visit(long startMs, long endMs);
  }

  /** How many times it has. */
  public static int count(NodeBooking booking) {
    return 1 + booking.getLaterMs().size();
  }

  /** When the last of its times ends. */
  public static long lastEndMs(NodeBooking booking) {
    List<Long> later = booking.getLaterMs();
    return later.isEmpty()
        ? booking.getEndMs()
        : Math.max(booking.getEndMs(), later.get(later.size() - 1) + lengthMs(booking));
  }

  /** Whether it lies in a window at any of its times. */
  public static boolean meets(NodeBooking booking, long fromMs, long toMs) {
    if (booking.getStartMs() < toMs && booking.getEndMs() > fromMs) {
      return true;
    }
    int last = before(booking.getLaterMs(), toMs) - 1;
    return last >= 0 && booking.getLaterMs().get(last) + lengthMs(booking) > fromMs;
  }

  /** Visits its times that lie in a window, in their order. */
  public static void within(
      NodeBooking booking, long fromMs, long toMs, BookingTimeVisitor visitor) {
    if (booking.getStartMs() < toMs && booking.getEndMs() > fromMs) {
      visitor.visit(booking.getStartMs(), booking.getEndMs());
    }
    List<Long> later = booking.getLaterMs();
    long lengthMs = lengthMs(booking);
    int end = before(later, toMs);
    for (int i = before(later, Math.max(0, fromMs) - lengthMs + 1); i < end; i++) {
      visitor.visit(later.get(i), later.get(i) + lengthMs);
    }
  }

  private static long lengthMs(NodeBooking booking) {
    return booking.getEndMs() - booking.getStartMs();
  }

  /** Number of starts before a time. */
  private static int before(List<Long> starts, long ms) {
    int found = Collections.binarySearch(starts, ms);
    return found >= 0 ? found : -found - 1;
  }
}
