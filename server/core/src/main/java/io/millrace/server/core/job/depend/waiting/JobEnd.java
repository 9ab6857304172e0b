package io.millrace.server.core.job.depend.waiting;

import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;

/**
 * How a job ended, as dependencies see it; the same for jobs that waited for the end and for those
 * that ask later.
 *
 * @param chain it could not run because of what it waited for itself: nobody behind it runs either
 * @param terminated somebody ended it
 * @param ran it was started
 */
public record JobEnd(boolean chain, boolean terminated, boolean ran, int exitStatus) {

  /** The end of a job by a run. */
  public static JobEnd ofRun(Job job, int exitStatus) {
    return new JobEnd(false, !job.getEndedBy().isEmpty(), true, exitStatus);
  }

  /** The end of a job that is deleted while it waits. */
  public static JobEnd ofWaiting(Job job, int exitStatus) {
    boolean ran = job.getRunCount() > 0;
    return new JobEnd(!ran && DependencyLists.waits(job), true, ran, exitStatus);
  }

  /** The end of a job that is deleted because of its dependency. */
  public static JobEnd impossible() {
    return new JobEnd(true, true, false, 0);
  }

  /** The end of a finished job. */
  public static JobEnd ofFinished(Job job) {
    if (job.getExitStatus() == null) {
      return impossible();
    }
    boolean begun = job.getArray() != null && job.getStartedMs() >= 0;
    return job.getAllocation() == null && !begun
        ? ofWaiting(job, job.getExitStatus())
        : ofRun(job, job.getExitStatus());
  }

  /** Whether this end satisfies a dependency of the kind. */
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
