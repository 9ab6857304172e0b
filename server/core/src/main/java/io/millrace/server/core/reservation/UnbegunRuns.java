package io.millrace.server.core.reservation;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.ComparedAmounts;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs that were granted nodes before a window and have not begun when it begins. No walltime of
 * theirs passes, so nobody knows when they would end; and nothing is lost with them.
 */
final class UnbegunRuns {
  private UnbegunRuns() {}

  /**
   * Those of a node without which a reservation has there what it has booked.
   *
   * @param ending numbers of jobs whose runs are about to end anyway
   * @param most of them that are looked for
   */
  static List<Job> inTheWay(
      Context c,
      Reservation reservation,
      Node node,
      BookedNode booked,
      Set<Long> ending,
      int most) {
    List<Job> found = new ArrayList<>();
    ClusterObject object = PartitionTable.node(c.view(), node.getName());
    if (object == null || node.getHoldings().isEmpty()) {
      return found;
    }
    ResourceTable resources = CustomResources.with(c.view());
    Map<String, Long> wanted =
        ComparedAmounts.in(c.view(), resources, reservation.getSpec().getPartition())
            .of(booked.getAmounts(), node, object);
    Map<String, Long> free = NodeAmounts.freeOfOurs(node, object, resources);
    List<Holding> unbegun = new ArrayList<>();
    for (Holding holding : node.getHoldings()) {
      Job job = c.view().jobs().get(Keys.number(holding.getNumber()));
      if (isInside(reservation, job) || ending.contains(holding.getNumber())) {
        NodeAmounts.add(free, holding.getAmounts());
      } else if (isUnbegun(c, job)) {
        unbegun.add(holding);
      }
    }
    for (Holding holding : unbegun) {
      boolean alone = booked.getExclusive() || holding.getExclusive();
      if (found.size() < most && (alone || lacks(free, wanted, holding))) {
        found.add(c.view().jobs().get(Keys.number(holding.getNumber())));
        NodeAmounts.add(free, holding.getAmounts());
      }
    }
    return found;
  }

  private static boolean isInside(Reservation reservation, Job job) {
    return job != null && job.getSpec().getQueue().equals(reservation.getQueue());
  }

  /** Runs of best-effort queues end anyway when somebody needs their room. */
  private static boolean isUnbegun(Context c, Job job) {
    return job != null
        && job.getStatus() == JobStatus.RUNNING
        && job.getSessionId() == 0
        && job.getKilling() == KillPurpose.NONE
        && Reservations.ofQueue(c.view(), job.getSpec().getQueue()) == null
        && !BestEffortQueue.is(PartitionTable.queue(c.view(), job.getSpec().getQueue()));
  }

  /** Whether something is lacking of which a run has some. */
  private static boolean lacks(Map<String, Long> free, Map<String, Long> wanted, Holding holding) {
    return wanted.entrySet().stream()
        .anyMatch(
            it ->
                it.getValue() > free.getOrDefault(it.getKey(), 0L)
                    && !NodeAmounts.withoutLimit(it.getKey())
                    && holding.getAmounts().getOrDefault(it.getKey(), 0L) > 0);
  }
}
