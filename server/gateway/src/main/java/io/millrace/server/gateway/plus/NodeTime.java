package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What became of a node's time in one occurrence of a reservation, within a period.
 *
 * @param reservation its name
 * @param owner whose it is
 * @param node the node
 * @param reservedMs how long the reservation had it
 * @param usedMs how long a job of the reservation ran on it meanwhile
 * @param cancelledMs how long it was to have it, and was deleted before
 */
record NodeTime(
    String reservation, String owner, String node, long reservedMs, long usedMs, long cancelledMs) {

  /**
   * A time that is looked at.
   *
   * @param nowMs runs have lasted until now
   */
  record NodeTimePeriod(long fromMs, long toMs, long nowMs) {
    private long length(long startMs, long endMs) {
      return Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, startMs));
    }
  }

  long unusedMs() {
    return reservedMs - usedMs;
  }

  /**
   * One of each node of each occurrence of a reservation that has any time in the period; none of
   * one that is held by an open transaction or never was more than that.
   *
   * @param endedMs when it ended
   * @param jobs by the name of their queue
   */
  static List<NodeTime> of(
      Reservation reservation, long endedMs, NodeTimePeriod period, Map<String, List<Job>> jobs) {
    List<NodeTime> times = new ArrayList<>();
    ReservationTransaction open = reservation.getPending();
    boolean held = open != null && open.getKind() == TransactionKind.RESERVE;
    if (held || reservation.getOnlyHeld()) {
      return times; // nobody has it, or ever had it
    }
    List<Job> its = jobs.getOrDefault(reservation.getQueue(), List.of());
    Map<String, NodeRuns> runs = new HashMap<>();
    for (BookedTime occurrence : BookedTime.occurrences(reservation)) {
      add(
          times,
          reservation,
          endedMs,
          occurrence,
          period,
          node -> runs.computeIfAbsent(node, it -> new NodeRuns(it, period.nowMs(), its)));
    }
    return times;
  }

  private static void add(
      List<NodeTime> times,
      Reservation reservation,
      long endedMs,
      BookedTime occurrence,
      NodeTimePeriod period,
      Function<String, NodeRuns> runs) {
    long startMs = occurrence.startMs();
    long endMs = occurrence.endMs();
    boolean deleted = reservation.getState() == ReservationState.DELETED;
    long hadMs = deleted ? Math.max(startMs, Math.min(endMs, endedMs)) : endMs;
    long reserved = period.length(startMs, hadMs);
    long cancelled = period.length(hadMs, endMs);
    if (reserved + cancelled == 0) {
      return;
    }
    long fromMs = Math.max(period.fromMs(), startMs);
    long toMs = Math.min(period.toMs(), hadMs);
    for (BookedNode node : occurrence.booked()) {
      String name = node.getNode();
      long used = runs.apply(name).usedMs(fromMs, toMs);
      String owner = reservation.getSpec().getOwner();
      times.add(new NodeTime(reservation.getQueue(), owner, name, reserved, used, cancelled));
    }
  }
}
