package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.cluster.Access;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.ExecHost;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import io.millrace.schedulers.dialects.gridengine.request.EnvironmentRequest;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.QueueRequest;
import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schedulers.dialects.gridengine.request.TaskRange;
import io.millrace.schedulers.dialects.gridengine.schedule.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.PendingJob;
import io.millrace.schemas.common.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a cell takes, and what it refuses in Grid Engine's words. */
final class Admission {

  private final Cluster cluster;
  private final Settings scheduler;

  Admission(Cell cell) {
    this(cell.configuration().cluster(), cell.configuration().scheduler());
  }

  Admission(Cluster cluster, Settings scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
  }

  /**
   * The request with the attributes of this cell.
   *
   * @throws RequestRefused when it asks for what there is not, or what its submitter may not have
   */
  Needs needs(Submission asked, Role role) {
    Needs needs = asked.needs(cluster.complexes());
    if (needs.requests(cluster.complexes().slots())) {
      throw new RequestRefused(
          "\"job\" denied: use parallel environments instead of requesting slots explicitly");
    }
    checkQueues(needs.queues());
    checkQueues(needs.softQueues());
    needs.environment().ifPresent(this::checkEnvironment);
    checkProject(asked.project());
    if (asked.priority() > 0 && role == Role.USER) {
      throw new RequestRefused(
          "job rejected: positive submission priority requires operator privileges");
    }
    return needs;
  }

  private void checkQueues(List<QueueRequest> requests) {
    for (QueueRequest request : requests) {
      if (cluster.queues().stream().noneMatch(q -> request.fits(q, cluster.groups()))) {
        throw new RequestRefused(
            "Job was rejected because job requests unknown queue \"" + request.text() + "\"");
      }
    }
  }

  private void checkEnvironment(EnvironmentRequest request) {
    if (request.candidates(cluster).isEmpty()) {
      throw new RequestRefused(
          "job rejected: the requested parallel environment \""
              + request.name()
              + "\" does not exist");
    }
  }

  /** Projects have no texts of their own: those exist that queues or hosts speak of. */
  private void checkProject(String project) {
    if (project.isEmpty()) {
      return;
    }
    Stream<Access> all =
        Stream.concat(
            cluster.queues().stream().map(QueueInstance::access),
            cluster.hosts().values().stream().map(ExecHost::access));
    boolean known =
        all.anyMatch(a -> a.projects().contains(project) || a.noProjects().contains(project));
    if (!known) {
      throw new RequestRefused(
          "job rejected: the requested project \"" + project + "\" does not exist");
    }
  }

  /** Why no queue would take the job if nothing else ran; empty when one would. */
  Optional<String> neverFits(Submission asked, Needs needs, String owner, Instant now) {
    Job job =
        new Job(
            new Job.Identity(1, asked.name(), owner, asked.project()),
            needs,
            false,
            new Job.Urge(0, now.getEpochSecond(), 0),
            TaskRange.SINGLE,
            Job.Behaviour.PLAIN);
    Settings explained = scheduler.with("schedd_job_info", "true");
    ClusterState alone =
        new ClusterState(cluster, explained, List.of(), List.of(new PendingJob(job, List.of(1))));
    Decisions decisions = GridEngineScheduler.decide(alone, now);
    if (!decisions.starts().isEmpty()) {
      return Optional.empty();
    }
    Decisions.Waiting why = decisions.waiting().get(1L);
    return Optional.of(why == null ? "" : why.reason().text());
  }
}
