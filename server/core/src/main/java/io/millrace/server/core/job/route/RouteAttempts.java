package io.millrace.server.core.job.route;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobRouteRefused;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.handover.message.HandoverOffers;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The attempts of one decision to send jobs of a routing queue on. */
final class RouteAttempts {
  /** Offers to other shards that are not answered; a full destination costs no more than these. */
  static final int OFFERS_MAX = 20;

  /** Errors of a destination that may pass. */
  private static final Set<Integer> PASSING =
      Set.of(
          PbsError.QUEUE_FULL.code(),
          PbsError.QUEUE_NOT_ENABLED.code(),
          PbsError.COUNT_LIMIT.code(),
          PbsError.AMOUNT_LIMIT.code(),
          PbsError.SYSTEM.code(),
          // The destination exists, but is about to change its shard or to be deleted.
          PbsError.UNKNOWN_QUEUE.code());

  /** Errors of a destination that hold for all jobs. */
  private static final Set<Integer> CLOSED =
      Set.of(PbsError.QUEUE_FULL.code(), PbsError.QUEUE_NOT_ENABLED.code());

  /** How an attempt ended. */
  enum RouteAttemptEnd {
    GONE,
    LATER,
    /** Too many offers are not answered yet. */
    BUSY
  }

  private final Context c;
  private final RouteQueue queue;
  private final Decision decision;
  private final JobAdmission admission;
  private final Set<String> closed;

  /** Those of the closed ones that are in other shards, where nobody looks again in this pass. */
  private final Set<String> closedAway;

  private long rank;
  private long offered;

  RouteAttempts(Context c, RouteQueue queue, Decision decision) {
    this(c, queue, decision, Set.of());
  }

  /**
   * @param closedAway destinations in other shards that are known to take no job now
   */
  RouteAttempts(Context c, RouteQueue queue, Decision decision, Set<String> closedAway) {
    this.closedAway = closedAway;
    this.closed = new HashSet<>(closedAway);
    this.c = c;
    this.queue = queue;
    this.decision = decision;
    this.admission = new JobAdmission(c);
    this.rank = c.numbers().getNextRank();
    Queue counts = c.view().queues().get(queue.name());
    this.offered =
        counts == null ? 0 : counts.getCounts().getOrDefault(JobStatus.TRANSIT.name(), 0L);
  }

  static boolean passing(int code) {
    return PASSING.contains(code);
  }

  static boolean closed(int code) {
    return CLOSED.contains(code);
  }

  /** The closed destinations of the pass. */
  Set<String> closedAway() {
    return closedAway;
  }

  /** Whether no destination takes any job now. */
  boolean allClosed() {
    return !closed.isEmpty() && closed.containsAll(queue.destinations());
  }

  /** Tries all destinations that have not refused the job for good. */
  RouteAttemptEnd attempt(Job job) {
    return attempt(job, 0, job.getRoute().getRefused());
  }

  /**
   * Tries the destinations from a place in their list on.
   *
   * @param refusals destinations that will not take the job
   */
  RouteAttemptEnd attempt(Job job, int from, List<String> refusals) {
    Set<String> refused = new LinkedHashSet<>(refusals);
    List<String> destinations = queue.destinations();
    for (String name :
        destinations.subList(Math.min(from, destinations.size()), destinations.size())) {
      ClusterObject destination = PartitionTable.queue(c.view(), name);
      if (destination == null) {
        refused.add(name);
      }
      if (refused.contains(name) || closed.contains(name)) {
        continue;
      }
      int shard = PartitionTable.shardOf(c.view(), destination);
      if (shard != c.shard()) {
        if (offered >= OFFERS_MAX) {
          return RouteAttemptEnd.BUSY;
        }
        note(job, refused);
        offered++;
        HandoverOffers.route(c, job, shard, name, decision);
        return RouteAttemptEnd.GONE;
      }
      try {
        move(job, destination, refused);
        return RouteAttemptEnd.GONE;
      } catch (PbsRefusal e) {
        if (CLOSED.contains(e.code())) {
          closed.add(name);
        } else if (!passing(e.code())) {
          refused.add(name);
        }
      }
    }
    if (refused.containsAll(destinations)) {
      abort(job, PbsError.ROUTE_REFUSED);
      return RouteAttemptEnd.GONE;
    }
    note(job, refused);
    return RouteAttemptEnd.LATER;
  }

  /** Records which destinations will not take the job. */
  void note(Job job, Set<String> refused) {
    if (!refused.equals(new HashSet<>(job.getRoute().getRefused()))) {
      decision.fact(new JobRouteRefused(c.stamp(), job.getId(), new ArrayList<>(refused)));
    }
  }

  private void move(Job job, ClusterObject destination, Set<String> refused) throws PbsRefusal {
    Queue counts = c.view().queues().get(destination.getName());
    if (counts != null && counts.getClosing()) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    JobSpec moved = Copies.inQueue(job.getSpec(), destination.getName());
    JobSpec spec =
        admission.admit(
            destination, moved, ArrayStates.weight(job), JobAdmission.AdmissionSource.ROUTED);
    Route route = RouteQueue.entered(destination, c.nowMs());
    decision.fact(
        new JobMoved(c.stamp(), job.getId(), queue.name(), destination.getName(), rank, route));
    rank += ArrayStates.ranks(job);
    ArrayWork.soon(c, job, decision);
    if (!spec.equals(moved)) {
      decision.fact(new JobAltered(c.stamp(), job.getId(), spec, "Resource_List", null));
    }
    if (route != null) {
      RoutingWork.entered(c, job.getId(), decision);
    }
  }

  void abort(Job job, PbsError why) {
    decision.fact(
        new JobDeleted(c.stamp(), job.getId(), ExitStatus.TERMINATED, "", why.text(), false));
    Dependents.ended(c, job, JobEnd.impossible(), decision);
  }
}
