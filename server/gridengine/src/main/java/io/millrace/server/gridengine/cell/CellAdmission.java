package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.StartTrial;
import io.millrace.schedulers.gridengine.language.StartTrial.TrialPlace;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.ObjectAccess;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.EnvironmentRequest;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob.Behaviour;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.common.Role;
import io.millrace.server.gateway.link.ClusterView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a cell takes, and what it refuses in Grid Engine's words. */
public final class CellAdmission {

  private final Cluster cluster;
  private final OptionValues scheduler;

  /** Where jobs are tried, which few ask for: it has each host anew. */
  private final Supplier<Cluster> trialPlace;

  /** What a cell takes whose nodes are as they are known now. */
  public CellAdmission(Cell cell, ClusterView view) {
    this.cluster = cell.configuration().cluster();
    this.scheduler = cell.configuration().scheduler();
    this.trialPlace = () -> cell.apart(view);
  }

  public CellAdmission(Cluster cluster, OptionValues scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.trialPlace = () -> cluster;
  }

  /**
   * The request with the attributes of this cell.
   *
   * @throws RequestRefused when it asks for what there is not, or what its submitter may not have
   */
  public Needs needs(Submission asked, Role role) {
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
    Stream<ObjectAccess> all =
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
  public Optional<String> neverFits(Submission asked, Needs needs, String owner, Instant now) {
    GridEngineJob job = job(asked, needs, owner, Behaviour.PLAIN, now);
    return trial().refusal(trialPlace.get(), scheduler, job, now);
  }

  /**
   * Where the job would start on a cluster if nothing else ran there.
   *
   * @param room a part of this cell's cluster
   */
  public Optional<TrialPlace> place(
      Cluster room, Submission asked, Needs needs, String owner, Instant now) {
    Behaviour behaviour = new Behaviour(asked.immediate(), GridEngineJob.Waits.NO, 0, 0);
    return trial().place(room, scheduler, job(asked, needs, owner, behaviour, now), now);
  }

  private static GridEngineJob job(
      Submission asked, Needs needs, String owner, Behaviour behaviour, Instant now) {
    return new GridEngineJob(
        new GridEngineJob.Identity(1, asked.name(), owner, asked.project()),
        needs,
        false,
        new GridEngineJob.Urge(0, now.getEpochSecond(), 0),
        TaskRange.SINGLE,
        behaviour);
  }

  private static StartTrial trial() {
    return ServiceLoader.load(StartTrial.class)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no scheduler tries jobs for -w"));
  }
}
