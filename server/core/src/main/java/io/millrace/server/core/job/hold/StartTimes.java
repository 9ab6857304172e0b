package io.millrace.server.core.job.hold;

import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;
import io.millrace.server.core.job.array.Window;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.shard.Timers;

/** Jobs that are not to run before a time: each has a timer, and nobody looks at it before. */
public final class StartTimes {
  private StartTimes() {}

  /**
   * Applies a job's change, or its coming or going: a timer for one that begins to wait, or waits
   * for another time, and none for one that waits no longer.
   */
  public static void follow(State state, Job before, Job after) {
    long was = awaitedMs(before);
    long is = awaitedMs(after);
    // While a job is offered to another shard its timer passes it by.
    boolean offered = before != null && before.getStatus() == JobStatus.TRANSIT;
    if (was >= 0 && was != is) {
      state.timers().remove(Keys.timer(was, Timers.EXECUTION, Keys.number(before.getNumber())));
    }
    if (is >= 0 && (was != is || offered)) {
      Timers.set(state, is, Timers.EXECUTION, Keys.number(after.getNumber()));
    }
  }

  /** The time that a job waits for; negative when it waits for none. */
  private static long awaitedMs(Job job) {
    boolean waits =
        job != null && job.getHolds().contains(Holds.WAIT) && job.getStatus() != JobStatus.FINISHED;
    return waits ? job.getSpec().getExecutionMs() : -1;
  }

  /** The timer is due; the job may have gone, or have another time, since. */
  public static void due(Context c, String key, Decision decision) {
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
      Routing.soon(c, job, decision);
      Window.soon(c, job, decision);
    }
  }
}
