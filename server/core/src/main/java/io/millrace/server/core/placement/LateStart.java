package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.JobRecords;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A run that its host has begun later than it was granted: it was down, or files were staged in
 * before. At the grant the run was looked at as if it began then; so its walltime may now end
 * within a booking that leaves no room for it.
 *
 * @param fromMs when the booking begins; now, if it has
 * @param reservation whose booking it is
 */
public record LateStart(long fromMs, Reservation reservation) {

  /**
   * The first booking that the run reaches into and would not have reached into if it had begun
   * with its grant; null when there is none. What it lies over anyway is none of these.
   *
   * @param job as it was before its host told of its start
   * @param endMs when its walltime ends
   */
  public static LateStart of(Context c, Job job, long endMs) {
    long plannedMs = RunTimes.end(job);
    boolean later = plannedMs != RunTimes.NEVER && endMs > plannedMs;
    if (!later || !NodeRoom.heedsBookings(c.view(), job) || !stays(c, job, plannedMs - 1)) {
      return null;
    }
    for (Map.Entry<Long, Long> start : starts(c, job, plannedMs, endMs).entrySet()) {
      if (!stays(c, job, start.getKey())) {
        return new LateStart(start.getKey(), Reservations.find(c.view(), start.getValue()));
      }
    }
    return null;
  }

  private static boolean stays(Context c, Job job, long atMs) {
    return NodeRoom.stays(c, job, new BookedRoom.BookingPeriod(atMs, atMs + 1));
  }

  /** When something is booked of what the run has, and the number of one who has booked it. */
  private static TreeMap<Long, Long> starts(Context c, Job job, long plannedMs, long endMs) {
    long fromMs = Math.max(plannedMs, c.nowMs());
    TreeMap<Long, Long> starts = new TreeMap<>();
    for (String node : nodes(c, job)) {
      c.view()
          .bookings()
          .within(node, fromMs, endMs, booking -> note(booking, plannedMs, fromMs, endMs, starts));
    }
    return starts;
  }

  private static void note(
      NodeBooking booking, long plannedMs, long fromMs, long endMs, TreeMap<Long, Long> starts) {
    BookingTimes.within(
        booking,
        fromMs,
        endMs,
        (startMs, toMs) -> {
          if (startMs >= plannedMs) {
            starts.putIfAbsent(Math.max(startMs, fromMs), booking.getNumber());
          }
        });
  }

  /** Its nodes, and those beside them where it has the host for itself. */
  private static Set<String> nodes(Context c, Job job) {
    Set<String> nodes = new TreeSet<>();
    BookedRoom room = new BookedRoom(c.view(), CustomResources.with(c.view()), c.nowMs());
    for (NodeShare share : job.getAllocation().getShares()) {
      nodes.add(share.getNode());
      Node node = c.view().nodes().get(share.getNode());
      ClusterObject object = PartitionTable.node(c.view(), share.getNode());
      if (node != null
          && JobRecords.sharing(job, job.getAllocation(), object) == Sharing.EXCLHOST) {
        room.onHost(node.getHost()).forEach(it -> nodes.add(it.getName()));
      }
    }
    return nodes;
  }
}
