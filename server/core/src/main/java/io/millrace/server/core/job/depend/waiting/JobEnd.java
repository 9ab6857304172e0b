package io.millrace.server.core.job.depend.waiting;

import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;

/**
 * How a job ended, as far as those care that wait for it. It is the same whether they have waited
 * for the end or ask after it later.
 *
 * @param chain it could not run because of what it waited for itself: nobody behind it runs either
 * @param terminated somebody ended it
 * @param ran it was started
 */
public record JobEnd(boolean chain, boolean terminated, boolean ran, int exitStatus) {

  /** Of a run that ends its job. */
  public static JobEnd ofRun(Job job, int exitStatus) {
    return new JobEnd(false, !job.getEndedBy().isEmpty(), true, exitStatus);
  }

  /** Of a job that is deleted while it waits. */
  public static JobEnd ofWaiting(Job job, int exitStatus) {
    boolean ran = job.getRunCount() > 0;
    return new JobEnd(!ran && DependencyLists.waits(job), true, ran, exitStatus);
  }

  /** Of one that is deleted because of a dependency. */
  public static JobEnd impossible() {
    return new JobEnd(true, true, false, 0);
  }

  /** Of a job in the history. */
  public static JobEnd ofFinished(Job job) {
    if (job.getExitStatus() == null) {
      return impossible();
    }
    boolean begun = job.getArray() != null && job.getStartedMs() >= 0;
    return job.getAllocation() == null && !begun
        ? ofWaiting(job, job.getExitStatus())
        : ofRun(job, job.getExitStatus());
  }

  /** Whether that is what a job of this kind of dependency waits for. */
  public boolean satisfies(DependencyKind kind) {
    return !chain
        && switch (kind) {
          case AFTER -> ran;
          case AFTEROK -> !terminated && exitStatus == 0;
          case AFTERNOTOK -> terminated || exitStatus != 0;
          case AFTERANY -> true;
          case ON -> false;
        };
  }
}
