package io.millrace.server.core.job.delete;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.array.Deletion;
import io.millrace.server.core.job.array.DeletionRequest;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;

/**
 * Deletes the jobs of a reservation that ends, a few at a time: each is looked at once. One that is
 * on its way to another queue is left; if it comes back, the reservation has it deleted then.
 */
final class ReservedJobsEnd {
  private static final int AT_ONCE = 20;

  private ReservedJobsEnd() {}

  /**
   * @param cursor the key behind which jobs are looked at, and who wants it
   * @param runs whether only those that run are deleted
   */
  static Decision go(Context c, String cursor, boolean runs) {
    String[] parts = cursor.split(" ", 2);
    String number = parts[0].substring(0, parts[0].indexOf('/'));
    String prefix = number + "/";
    DeletionRequest request = DeletionRequest.of(parts[1]);
    Decision decision = Decision.none();
    if (runs && !isBetween(c, number)) {
      return decision; // what runs now belongs to the next occurrence, or all jobs are deleted
    }
    int[] looked = {0};
    c.view()
        .table(ReservedJob.class)
        .scan(
            parts[0],
            prefix + Character.MAX_VALUE,
            (key, reserved) -> {
              if (key.equals(parts[0])) {
                return true;
              }
              Job job = c.view().jobs().get(Keys.number(reserved.getNumber()));
              if (runs) {
                end(c, job, request, decision);
              } else {
                delete(c, job, request, decision);
              }
              // An array is a hundred facts by itself.
              looked[0] += !runs && ArrayStates.is(job) ? AT_ONCE : 1;
              if (looked[0] >= AT_ONCE) {
                goOn(c, key, parts[1], runs, decision);
                return false;
              }
              return true;
            });
    return decision;
  }

  private static boolean isBetween(Context c, String number) {
    Reservation reservation = c.view().table(Reservation.class).get(number);
    return reservation != null && Reservations.isBetween(reservation);
  }

  private static void goOn(Context c, String key, String by, boolean runs, Decision decision) {
    if (runs) {
      ReservationWork.deleteRuns(c, key, by, decision);
    } else {
      ReservationWork.deleteJobs(c, key, by, decision);
    }
  }

  /** Ends its run if it has one. */
  private static void end(Context c, Job job, DeletionRequest request, Decision decision) {
    boolean has = job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
    if (has && !ArrayStates.is(job)) {
      Deciders.running(c, job, request, decision);
    }
  }

  private static void delete(Context c, Job job, DeletionRequest request, Decision decision) {
    if (JobNumbers.isSubjob(job.getNumber())) {
      return; // it ends with its array
    }
    boolean travels = job.getStatus() == JobStatus.TRANSIT;
    if (ArrayStates.is(job)) {
      if (!travels) {
        Deletion.all(c, job, request, "", decision);
      }
      return;
    }
    switch (job.getStatus()) {
      case QUEUED, HELD -> Deciders.waiting(c, job, request, decision);
      case RUNNING, EXITING -> Deciders.running(c, job, request, decision);
      default -> {}
    }
  }
}
