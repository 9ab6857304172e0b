package io.millrace.server.core.order;

import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Holds;
import java.util.Optional;

/**
 * Holds of a job that has a run. On a host of this system it has begun, and the hold counts when
 * the job waits again. On a host of an outside cluster it may wait there, and is held there
 * meanwhile. Executors obey the latest such order, whatever its number.
 */
public final class RunHold {
  /** Events of a job whose holds have changed. */
  public static final String HELD = "held";

  public static final String RELEASED = "released";

  private static final String HOLD = "hold";
  private static final String RELEASE = "release";

  /** Holds that somebody has set. */
  private static final String SET = "uos";

  private RunHold() {}

  /** Whether the job has a run whose script is for a host of an outside cluster. */
  public static boolean isOutside(Job job) {
    return job.getStatus() == JobStatus.RUNNING
        && job.getAllocation() != null
        && HostKey.isMember(Orders.host(job.getAllocation()));
  }

  /** Tells the host of the run, if that is outside, that its job is held from now on, or not. */
  public static void tell(Context c, Job job, String holds, Decision decision) {
    if (isOutside(job) && isHeld(holds) != isHeld(job.getHolds())) {
      Orders.signal(c, job, job.getOrders(), isHeld(holds) ? HOLD : RELEASE, decision);
    }
  }

  /** Repeats the order, in case it was lost; empty when the holds are as when it was granted. */
  public static Optional<SignalRun> asItIs(Context c, Job job, String executor) {
    return isOutside(job) && isChanged(job)
        ? Optional.of(
            Orders.signal(
                c, job, executor, job.getOrders(), isHeld(job.getHolds()) ? HOLD : RELEASE))
        : Optional.empty();
  }

  private static boolean isHeld(String holds) {
    return !Holds.only(holds, SET).equals("n");
  }

  private static boolean isChanged(Job job) {
    boolean changed = false;
    for (JobEvent event : job.getEvents()) {
      if (event.getWhat().equals(RunLimit.GRANTED)) {
        changed = false;
      } else {
        changed |= event.getWhat().equals(HELD) || event.getWhat().equals(RELEASED);
      }
    }
    return changed;
  }
}
