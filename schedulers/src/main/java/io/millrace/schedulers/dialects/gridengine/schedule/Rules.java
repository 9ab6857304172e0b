package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Access;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex.Requestable;
import io.millrace.schedulers.dialects.gridengine.cluster.ExecHost;
import io.millrace.schedulers.dialects.gridengine.cluster.Offers;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.QueueRequest;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.List;
import java.util.Optional;

/** What rules a place out for a job at any time: types, lists, permissions. */
final class Rules {

  private final Cluster cluster;
  private final List<Complex> forced;

  Rules(Cluster cluster) {
    this.cluster = cluster;
    this.forced =
        cluster.complexes().all().stream()
            .filter(complex -> complex.use().requestable() == Requestable.FORCED)
            .toList();
  }

  /** Why the job cannot run anywhere. */
  Optional<Reason> globally(Job job) {
    ExecHost global = cluster.global();
    return admitted(job, global.access(), "host", global.name())
        .or(() -> forced(job, global.offers(), Code.FORCED_GLOBALLY, ""));
  }

  /**
   * Why a queue instance is out of question.
   *
   * @param environment for parallel jobs
   */
  Optional<Reason> queue(Job job, QueueInstance queue, Optional<ParallelEnvironment> environment) {
    ExecHost host = cluster.host(queue.host());
    return named(job, queue)
        .or(() -> kind(job, queue, environment))
        .or(() -> admitted(job, host.access(), "host", host.name()))
        .or(() -> admitted(job, queue.access(), "queue", queue.name()))
        .or(() -> forced(job, host.offers(), Code.FORCED_OF_HOST, host.name()))
        .or(() -> forced(job, queue.offers(), Code.FORCED_OF_QUEUE, queue.name()));
  }

  private Optional<Reason> named(Job job, QueueInstance queue) {
    boolean named =
        job.needs().queues().isEmpty()
            || job.needs().queues().stream().anyMatch(r -> r.fits(queue, cluster.groups()));
    return named ? Optional.empty() : Optional.of(Reason.of(Code.NOT_IN_QUEUE_LIST, queue.name()));
  }

  private Optional<Reason> kind(
      Job job, QueueInstance queue, Optional<ParallelEnvironment> environment) {
    if (environment.isPresent() && !queue.offers(environment.get())) {
      return Optional.of(Reason.of(Code.PE_NOT_OF_QUEUE, queue.name(), environment.get().name()));
    }
    if (job.behaviour().immediate() && !queue.interactive()) {
      return Optional.of(Reason.of(Code.NOT_INTERACTIVE, queue.name()));
    }
    if (environment.isEmpty() && !job.behaviour().immediate() && !queue.batch()) {
      return Optional.of(Reason.of(Code.NOT_BATCH, queue.name()));
    }
    return Optional.empty();
  }

  private Optional<Reason> admitted(Job job, Access access, String what, String name) {
    if (!access.admitsUser(job.identity().owner(), cluster.accessLists())) {
      return Optional.of(Reason.of(Code.NO_PERMISSION, what, name));
    }
    String project = job.identity().project();
    if (!access.admitsProject(project)) {
      return Optional.of(
          project.isEmpty()
              ? Reason.of(Code.NO_PROJECT, what, name)
              : Reason.of(Code.WRONG_PROJECT, project, what, name));
    }
    return Optional.empty();
  }

  /** Why a parallel environment is out of question. */
  Optional<Reason> environment(Job job, ParallelEnvironment environment) {
    if (environment.slots() == 0) {
      return Optional.of(Reason.of(Code.PE_TOTAL_SLOTS, environment.name()));
    }
    return environment.access().admitsUser(job.identity().owner(), cluster.accessLists())
        ? Optional.empty()
        : Optional.of(Reason.of(Code.PE_NO_ACCESS, environment.name()));
  }

  private Optional<Reason> forced(Job job, Offers offers, Code code, String name) {
    for (Complex complex : forced) {
      if (offers.sets(complex.name()) && !job.needs().requests(complex)) {
        return Optional.of(
            name.isEmpty()
                ? Reason.of(code, complex.name())
                : Reason.of(code, complex.name(), name));
      }
    }
    return Optional.empty();
  }

  /** Names of -soft -q that a queue instance is not one of. */
  int softQueueViolations(Job job, QueueInstance queue) {
    int violations = 0;
    for (QueueRequest request : job.needs().softQueues()) {
      if (!request.fits(queue, cluster.groups())) {
        violations++;
      }
    }
    return violations;
  }
}
