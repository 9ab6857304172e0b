package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SMALL_JOB_MAX;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_LARGE_JOB;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_SMALL_JOB;

import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import java.util.List;
import java.util.Optional;

/** Deletes the jobs that no queue can ever run, and those that are too long for their size. */
final class Unrunnable {

  private static final String NO_QUEUE =
      "Job will not fit on any execution queue.\n\nUse 'qstat -q' to get execution queue limits.";

  private final CycleContext cycle;
  private final QueueFit fit;

  Unrunnable(CycleContext cycle, QueueFit fit) {
    this.cycle = cycle;
    this.fit = fit;
  }

  void delete(CycleQueue submit, List<CycleQueue> batch) {
    for (CycleJob job : List.copyOf(submit.jobs())) {
      if (!job.runs()) {
        reason(job, batch).ifPresent(it -> remove(submit, job, it));
      }
    }
  }

  private void remove(CycleQueue submit, CycleJob job, String reason) {
    cycle.delete(job, reason, Optional.empty());
    submit.jobs().remove(job); // a special job belongs to another queue
  }

  private Optional<String> reason(CycleJob job, List<CycleQueue> batch) {
    if (batch.stream().noneMatch(queue -> fit.wrongSize(job, queue).isEmpty())) {
      return Optional.of(NO_QUEUE);
    }
    long small = cycle.config().number(SMALL_JOB_MAX);
    if (small <= 0 || job.isSpecial()) {
      return Optional.empty();
    }
    boolean isSmall = job.nodes() <= small;
    long limit = cycle.config().number(isSmall ? WALLT_LIMIT_SMALL_JOB : WALLT_LIMIT_LARGE_JOB);
    String which = isSmall ? "small jobs (1 - " + small : "large jobs (" + (small + 1) + "+";
    return job.walltimeS() > limit
        ? Optional.of(
            "Job exceeds maximum walltime limit ("
                + OriginType.clock(limit)
                + ") policy\n\tfor "
                + which
                + " nodes).")
        : Optional.empty();
  }
}
