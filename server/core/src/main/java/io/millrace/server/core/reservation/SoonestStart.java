package io.millrace.server.core.reservation;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;

/** When a reservation for a job that waits may begin, and how its job goes into it. */
final class SoonestStart {
  private static final long SECOND_MS = 1000;

  private SoonestStart() {}

  static boolean waits(Job job) {
    return job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD;
  }

  /** Whether its scheduler is still to say when it begins. */
  static boolean isOpen(Reservation reservation) {
    return reservation.getSpec().getSoonest()
        && reservation.getAsked() == null
        && !Reservations.hasQueue(reservation);
  }

  /** Whether it may begin then: not before it was asked for, and not later than it has to. */
  static boolean mayBegin(Reservation open, long startMs) {
    return startMs >= open.getCreatedMs() / SECOND_MS * SECOND_MS
        && startMs <= open.getSpec().getStartMs();
  }

  /** What is asked for, beginning at a time. */
  static ReservationSpec at(Reservation open, long startMs) {
    ReservationSpec spec = Copies.of(open.getSpec());
    spec.setEndMs(startMs + spec.getEndMs() - spec.getStartMs());
    spec.setStartMs(startMs);
    return spec;
  }

  /** Whether it is to take a job that has begun, gone, or been taken elsewhere. */
  static boolean hasLostItsJob(Context c, Reservation before) {
    if (!takesJob(before)) {
      return false;
    }
    Job job = c.job(before.getJob());
    if (job == null || !waits(job)) {
      return true;
    }
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    String partition = before.getSpec().getPartition();
    return queue == null || !partition.equals(PartitionTable.partitionOf(queue));
  }

  private static boolean takesJob(Reservation before) {
    return before.getSpec().getSoonest()
        && !before.getJob().isEmpty()
        && !Reservations.hasQueue(before);
  }

  /** It is confirmed: its job goes into its queue. */
  static void takeJob(Context c, Reservation before, Decision decision) {
    if (takesJob(before)) {
      Job job = c.job(before.getJob());
      long rank = c.numbers().getNextRank();
      String from = job.getSpec().getQueue();
      decision.fact(new JobMoved(c.stamp(), job.getId(), from, before.getQueue(), rank, null));
    }
  }
}
