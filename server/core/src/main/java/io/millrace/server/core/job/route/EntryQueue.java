package io.millrace.server.core.job.route;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Holds;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue in which a submitted job begins: in the queue that it names or, when that is a routing
 * queue, in the first destination of this shard that takes it, as long as no destination before it
 * is elsewhere.
 *
 * @param route what is noted of a job that waits in a routing queue; null in an execution queue
 * @param tried whether no destination takes it now, so that there is nothing to try before the
 *     queue's retry time
 */
public record EntryQueue(JobSpec spec, Route route, boolean tried) {

  /**
   * @throws PbsRefusal when the queue, or each of its destinations, will not take the job
   */
  public static EntryQueue of(Context c, JobAdmission admission, NewJob job) throws PbsRefusal {
    JobSpec spec = job.getSpec();
    int jobs = job.getArray() == null ? 1 : ArrayStates.size(job.getArray());
    ClusterObject named = PartitionTable.queue(c.view(), spec.getQueue());
    JobSpec admitted = admission.admit(named, spec, jobs, JobAdmission.AdmissionSource.SUBMITTED);
    RouteQueue queue = RouteQueue.of(named);
    if (queue == null) {
      return new EntryQueue(admitted, null, false);
    }
    List<String> refused = new ArrayList<>();
    boolean tried = queue.routes(held(c, job));
    if (tried) {
      for (String name : queue.destinations()) {
        ClusterObject destination = PartitionTable.queue(c.view(), name);
        if (destination != null && PartitionTable.shardOf(c.view(), destination) != c.shard()) {
          return new EntryQueue(admitted, new Route(refused, c.nowMs()), false);
        }
        try {
          JobSpec there = there(c, admission, admitted, jobs, destination);
          admission.leave(named, admitted, jobs);
          return new EntryQueue(there, RouteQueue.entered(destination, c.nowMs()), false);
        } catch (PbsRefusal e) {
          if (!RouteAttempts.passing(e.code()) || destination == null) {
            refused.add(name);
          }
        }
      }
      if (refused.containsAll(queue.destinations())) {
        throw new PbsRefusal(PbsError.ROUTE_REFUSED);
      }
    }
    return new EntryQueue(admitted, new Route(refused, c.nowMs()), tried);
  }

  /**
   * Whether the job may be held; if its dependencies are satisfied it is routed right after its
   * submission.
   */
  private static boolean held(Context c, NewJob job) {
    return DependencyLists.pending(job.getDepend())
        || !Holds.until(job.getHolds(), job.getSpec().getExecutionMs(), c.nowMs()).equals("n");
  }

  private static JobSpec there(
      Context c, JobAdmission admission, JobSpec admitted, int jobs, ClusterObject destination)
      throws PbsRefusal {
    if (destination == null) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    var counts = c.view().queues().get(destination.getName());
    if (counts != null && counts.getClosing()) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    JobSpec moved = Copies.inQueue(admitted, destination.getName());
    return admission.admit(destination, moved, jobs, JobAdmission.AdmissionSource.ROUTED);
  }
}
