package io.millrace.server.core.job.hold;

import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.shard.Timers;

/** Jobs that are not to run before a time: each has a timer, and nobody looks at it before. */
public final class StartTimes {
  private StartTimes() {}

  /** Applies a job's change: a timer for one that begins to wait, or waits for another time. */
  public static void follow(State state, Job before, Job after) {
    if (waits(after)) {
      long ms = after.getSpec().getExecutionMs();
      // While a job is offered to another shard its timer passes it by.
      boolean known =
          before != null
              && waits(before)
              && before.getStatus() != JobStatus.TRANSIT
              && before.getSpec().getExecutionMs() == ms;
      if (!known) {
        Timers.set(state, ms, Timers.EXECUTION, Keys.number(after.getNumber()));
      }
    }
  }

  private static boolean waits(Job job) {
    return job.getHolds().contains(Holds.WAIT);
  }

  /** The timer is due; the job may have gone, or have another time, since. */
  public static void due(Context c, String key, Decision decision) {
    Job job = c.view().jobs().get(key);
    boolean over =
        job != null
            && job.getStatus() == JobStatus.HELD
            && job.getHolds().contains(Holds.WAIT)
            && job.getSpec().getExecutionMs() <= c.nowMs();
    if (over) {
      String holds = Holds.minus(job.getHolds(), Holds.WAIT);
      decision.fact(new JobReleased(c.stamp(), job.getId(), holds, Holds.WAIT));
      Routing.soon(c, job, decision);
    }
  }
}
