package io.millrace.server.core.order;

import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import java.util.Optional;

/**
 * The walltime of a run when it was changed after its start. Executors obey the latest such order,
 * whatever its number.
 */
public final class RunLimit {
  /** The event of a job that was altered, and what in its detail says that its request was. */
  public static final String ALTERED = "altered";

  public static final String REQUEST = RunWalltimes.REQUEST;

  /** The event of a job that gets a run; the order to start that says how long it may last. */
  public static final String GRANTED = "granted";

  private static final String LIMIT = "limit";

  /** To a supervisor 0 is no limit, and not the shortest. */
  private static final long LEAST_S = 1;

  private RunLimit() {}

  /**
   * Tells all hosts of the run its new walltime.
   *
   * @param walltimeS seconds from its start, without the times in which it is suspended
   */
  public static void tell(Context c, Job job, long walltimeS, Decision decision) {
    Orders.signal(c, job, job.getOrders(), text(walltimeS), decision);
  }

  /** Repeats the order, in case it was lost; empty when the walltime was not changed. */
  public static Optional<SignalRun> asItIs(Context c, Job job, String executor) {
    boolean shortened = job.getBookedLimitS() > 0;
    long walltimeS = shortened ? RunWalltimes.of(job) : job.getSpec().getRequest().getWalltimeS();
    return walltimeS >= 0 && (shortened || alteredSinceItBegan(job))
        ? Optional.of(Orders.signal(c, job, executor, job.getOrders(), text(walltimeS)))
        : Optional.empty();
  }

  private static String text(long walltimeS) {
    return LIMIT + Math.max(LEAST_S, walltimeS);
  }

  /**
   * Compares the order of events in the job's history: the start time is of another host's clock.
   */
  private static boolean alteredSinceItBegan(Job job) {
    boolean altered = false;
    for (JobEvent event : job.getEvents()) {
      if (event.getWhat().equals(GRANTED)) {
        altered = false;
      } else if (event.getWhat().equals(ALTERED)) {
        altered |= event.getDetail().contains(REQUEST);
      }
    }
    return altered;
  }
}
