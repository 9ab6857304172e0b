package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_HOST;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_RESTART_ACTION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SUBMIT_QUEUE;

import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import java.util.List;
import java.util.Optional;

/** What becomes of jobs that wait in a batch queue: a crash left them there. */
final class RestartAction {

  private static final long RESUBMIT = OriginType.RESTARTS.indexOf("RESUBMIT");

  private final CycleContext cycle;

  RestartAction(CycleContext cycle) {
    this.cycle = cycle;
  }

  /** Whether any job was moved or started. */
  boolean run(List<CycleJob> jobs) {
    long action = cycle.config().number(SCHED_RESTART_ACTION);
    boolean changed = false;
    if (action == 0) {
      return false;
    }
    for (CycleJob job : jobs) {
      Optional<OriginQueueName> queue =
          cycle.config().queues(BATCH_QUEUES).stream()
              .filter(it -> it.name().equals(job.given().queue()))
              .findFirst();
      if (job.waits() && queue.isPresent()) {
        changed |= action == RESUBMIT ? resubmit(job) : rerun(job, queue.get());
      }
    }
    return changed && !cycle.testOnly();
  }

  private boolean resubmit(CycleJob job) {
    String submit = cycle.config().queues(SUBMIT_QUEUE).get(0).name();
    String origin = job.given().originQueue();
    cycle.act(
        new OriginAction.OriginMove(
            job.id(), job.given().queue(), origin.isEmpty() ? submit : origin));
    cycle.say(job, "Interrupted job resubmitted by scheduler");
    return true;
  }

  private boolean rerun(CycleJob job, OriginQueueName queue) {
    cycle.say(job, "Interrupted job restarted by scheduler");
    return cycle.run(job, queue.name(), cycle.config().word(SCHED_HOST).orElse(queue.host()));
  }
}
