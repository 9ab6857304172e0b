package io.millrace.server.core.reservation;

import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import io.millrace.server.core.state.View;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The jobs in the queues of reservations that have not finished. */
final class ReservedJobs {
  private ReservedJobs() {}

  static void follow(State state, Job before, Job after) {
    long left = before == null || finished(before) ? -1 : reservation(before);
    long entered = after == null || finished(after) ? -1 : reservation(after);
    if (left < 0 && entered < 0) {
      return;
    }
    long number = before == null ? after.getNumber() : before.getNumber();
    if (left != entered) {
      if (left >= 0) {
        state.table(ReservedJob.class).remove(Keys.reserved(left, number));
        boolean others = any(state, left);
        wake(state, left, others);
        if (!others) {
          idle(state, left);
        }
      }
      if (entered >= 0) {
        state
            .table(ReservedJob.class)
            .put(Keys.reserved(entered, number), new ReservedJob(entered, number));
        busy(state, entered);
      }
    }
    if (entered >= 0 && waits(after) && (before == null || !waits(before))) {
      // It came back while the others were being deleted.
      wake(state, entered, false);
    }
  }

  /** It has lost its last job; in its window it is deleted when it gets no other one for long. */
  private static void idle(State state, long number) {
    Reservation its = state.table(Reservation.class).get(Keys.number(number));
    if (its != null && Reservations.runs(its) && its.getSpec().getDeleteIdleS() > 0) {
      long dueMs = idleDueMs(its, ShardNumbers.of(state).getTimeMs());
      ReservationRecords.setIdle(state, its, dueMs);
    }
  }

  private static void busy(State state, long number) {
    Reservation its = state.table(Reservation.class).get(Keys.number(number));
    if (its != null && its.getIdleDueMs() > 0) {
      ReservationRecords.setIdle(state, its, 0);
    }
  }

  /** When one that has no job from now on is deleted. */
  static long idleDueMs(Reservation reservation, long nowMs) {
    return nowMs + TimeUnit.SECONDS.toMillis(reservation.getSpec().getDeleteIdleS());
  }

  private static boolean finished(Job job) {
    return job.getStatus() == JobStatus.FINISHED;
  }

  private static boolean waits(Job job) {
    return job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD;
  }

  private static long reservation(Job job) {
    return ReservationIds.number(job.getSpec().getQueue());
  }

  /** Whether a reservation has any job. */
  static boolean any(View view, long reservation) {
    boolean[] found = {false};
    String from = Keys.reserved(reservation);
    view.table(ReservedJob.class)
        .scan(
            from,
            from + Character.MAX_VALUE,
            (key, job) -> {
              found[0] = true;
              return false;
            });
    return found[0];
  }

  /**
   * Whether any of its jobs runs, by the counts of its queue: so many may wait in it that nobody
   * looks at each. An array that has begun counts as one that waits; its subjobs run.
   */
  static boolean anyRuns(View view, Reservation reservation) {
    Queue queue = view.queues().get(reservation.getQueue());
    return queue != null
        && Stream.of(JobStatus.RUNNING, JobStatus.EXITING)
            .anyMatch(it -> queue.getCounts().getOrDefault(it.name(), 0L) > 0);
  }

  private static void wake(State state, long reservation, boolean others) {
    Reservation closing = state.table(Reservation.class).get(Keys.number(reservation));
    boolean due = closing != null && (!others || Reservations.isBetween(closing));
    if (due && Reservations.isClosing(closing)) {
      // At once, whatever the clock does until then.
      Timers.set(state, 0, ReservationRecords.CLOSING, Keys.number(reservation));
    }
  }
}
