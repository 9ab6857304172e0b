package io.millrace.server.core.job.hold;

import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;

/**
 * Jobs with an execution time (qsub -a): each has a timer, and no scheduler considers it before.
 */
public final class ExecutionTimes {
  /** Kind of the timers; the subject is the key of the job. */
  static final String TIMER = "execution";

  private ExecutionTimes() {}

  /** Sets, moves or removes the timer of a job that is new, changed or gone. */
  static void follow(State state, Job before, Job after) {
    long was = awaitedMs(before);
    long is = awaitedMs(after);
    // A timer that is due while the job is offered to another shard does nothing.
    boolean offered = before != null && before.getStatus() == JobStatus.TRANSIT;
    if (was >= 0 && was != is) {
      Timers.remove(state, was, TIMER, Keys.number(before.getNumber()));
    }
    if (is >= 0 && (was != is || offered)) {
      Timers.set(state, is, TIMER, Keys.number(after.getNumber()));
    }
  }

  /** The time that a job waits for; negative when it waits for none. */
  private static long awaitedMs(Job job) {
    boolean waits =
        job != null && job.getHolds().contains(Holds.WAIT) && job.getStatus() != JobStatus.FINISHED;
    return waits ? job.getSpec().getExecutionMs() : -1;
  }

  /** Handles a due timer; nothing to do when the job has gone or has a later time. */
  static void due(Context c, String key, Decision decision) {
    Job job = c.view().jobs().get(key);
    // One that runs would find no timer any more when it comes back to its queue.
    boolean over =
        job != null
            && job.getStatus() != JobStatus.TRANSIT
            && job.getStatus() != JobStatus.FINISHED
            && job.getHolds().contains(Holds.WAIT)
            && job.getSpec().getExecutionMs() <= c.nowMs();
    if (over) {
      String holds = Holds.minus(job.getHolds(), Holds.WAIT);
      decision.fact(new JobReleased(c.stamp(), job.getId(), holds, Holds.WAIT));
      RoutingWork.soon(c, job, decision);
      ArrayWork.soon(c, job, decision);
    }
  }
}
