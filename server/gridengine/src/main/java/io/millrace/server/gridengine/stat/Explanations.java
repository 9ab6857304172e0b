package io.millrace.server.gridengine.stat;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reason;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Why jobs wait, as their scheduler last said; asked once for each class. */
final class Explanations {

  private final Site site;
  private final Map<String, Optional<ClassReason>> known = new HashMap<>();

  Explanations(Site site) {
    this.site = site;
  }

  /** Messages about queue instances, which concern all jobs. */
  List<String> queues(Cell cell) throws QueryException, InterruptedException {
    if (cell.queue().isEmpty()) {
      return List.of();
    }
    return lines(ask(cell.queue().get().getName(), RequestClass.GRID_ENGINE_QUEUES));
  }

  /** Messages about one job. */
  List<String> of(Job job) throws QueryException, InterruptedException {
    List<String> all = new ArrayList<>();
    if (job.getError() != null) {
      all.add("Job is in error state");
    }
    if (CellJobs.held(job) && !CellJobs.runs(job)) {
      all.add("Job is in hold state");
    }
    reason(job).ifPresent(reason -> all.addAll(lines(Optional.of(reason))));
    return all;
  }

  /** The reason of the job itself, else that of its class; empty for one that runs. */
  Optional<ClassReason> reason(Job job) throws QueryException, InterruptedException {
    if (CellJobs.runs(job)) {
      return Optional.empty();
    }
    String queue = job.getSpec().getQueue();
    Optional<ClassReason> own = ask(queue, RequestClass.gridEngineJob(Texts.number(job)));
    if (own.isPresent() || !job.getHolds().equals("n")) {
      return own;
    }
    return ask(queue, RequestClass.gridEngine(job.getSpec().getGridEngine()));
  }

  private static List<String> lines(Optional<ClassReason> reason) {
    return reason.map(it -> it.getSubject().lines().toList()).orElse(List.of());
  }

  private Optional<ClassReason> ask(String queue, String key)
      throws QueryException, InterruptedException {
    Optional<ClassReason> before = known.get(key);
    if (before != null) {
      return before;
    }
    Optional<ClusterObject> partition = CellReservations.partitionOfQueue(site, queue);
    Optional<ClassReason> found = Optional.empty();
    if (partition.isPresent()) {
      String scheduler = ClusterView.attribute(partition.get(), "scheduler").orElse("");
      int shard = CellReservations.shardOf(site, partition.get().getName());
      found = site.queries().reason(shard, scheduler, key).map(Reason::getReason);
    }
    known.put(key, found);
    return found;
  }
}
