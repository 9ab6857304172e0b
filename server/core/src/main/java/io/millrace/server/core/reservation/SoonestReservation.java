package io.millrace.server.core.reservation;

import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.AwaitedReservation;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import java.util.Optional;

/**
 * Makes a reservation for a job that waits, as soon as there is room. The scheduler says when that
 * is; with the confirmation the job goes into the queue, so that neither is there without the
 * other.
 */
final class SoonestReservation {
  private static final long SECOND_MS = 1000;

  /** More than any window may last; sums of it with any time are numbers. */
  private static final long SECONDS_MAX = 1L << 40;

  private SoonestReservation() {}

  static Decision decide(Context c, ReserveForJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    if (c.view().table(AwaitedReservation.class).get(Keys.command(c.meta().getId())) != null) {
      return Decision.none();
    }
    Job job = c.job(command.getJobId());
    try {
      ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
      check(c, job, queue);
      ReservationRequest.checkInteractive(command.getInteractiveS());
      if (command.getInteractiveS() >= 0) {
        throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " interactive");
      }
      ReservationSpec spec = spec(c, job, PartitionTable.partitionOf(queue), command.getSpec());
      ReservationLimits.check(c, spec);
      return submit(c, command, job, spec);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private static void check(Context c, Job job, ClusterObject queue) throws PbsRefusal {
    if (!c.mayActOn(job)) {
      throw new PbsRefusal(PbsError.UNAUTHORIZED);
    }
    if (ArrayStates.is(job) || JobNumbers.isSubjob(job.getNumber())) {
      throw new PbsRefusal(PbsError.RESERVATION_OF_ARRAY);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      throw new PbsRefusal(PbsError.JOB_FINISHED);
    }
    if (!waits(job) || queue == null || RouteQueue.is(queue)) {
      throw new PbsRefusal(PbsError.BAD_STATE);
    }
    if (job.getSpec().getGridEngine() != null) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of Grid Engine's");
    }
    if (BestEffortQueue.is(queue)) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of a best-effort queue");
    }
  }

  private static boolean waits(Job job) {
    return job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD;
  }

  private static ReservationSpec spec(Context c, Job job, String partition, ReservationSpec wish)
      throws PbsRefusal {
    ReservationSpec spec = RunReservation.ofJob(job, partition, wish);
    spec.setSoonest(true);
    long asked = job.getSpec().getRequest().getWalltimeS();
    long lengthMs = asked < 0 ? RunReservation.ENDLESS_MS : milliseconds(asked);
    ReservationRequest.checkAccess(c, spec);
    ReservationRequest.checkWindow(c, c.nowMs(), c.nowMs() + lengthMs);
    ReservationRequest.checkRequest(spec.getRequest());
    Optional<Long> ahead = AttributeType.parseSeconds(c.server(ReservationLimits.AHEAD, ""));
    long latestMs = c.nowMs() + RunReservation.ENDLESS_MS;
    if (ahead.isPresent()) {
      latestMs = Math.min(latestMs, c.nowMs() + milliseconds(ahead.get()) - lengthMs);
    }
    spec.setStartMs(RunReservation.seconds(latestMs));
    spec.setEndMs(spec.getStartMs() + lengthMs);
    return ReservationRequest.measured(ReservationRequest.withOwner(spec));
  }

  private static long milliseconds(long seconds) {
    return Math.min(seconds, SECONDS_MAX) * SECOND_MS;
  }

  private static Decision submit(Context c, ReserveForJob command, Job job, ReservationSpec spec) {
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    Reservation fresh = ReservationRequest.fresh(c, blocks.take(), spec);
    fresh.setJob(job.getId());
    ReservationRequest.wait(c, fresh, command.getInteractiveS());
    return decision.fact(new ReservationSubmitted(c.stamp(), fresh));
  }

  /** Whether its scheduler is still to say when it begins. */
  static boolean isOpen(Reservation reservation) {
    return reservation.getSpec().getSoonest()
        && reservation.getAsked() == null
        && !Reservations.hasQueue(reservation);
  }

  /** Whether it may begin then: not before it was asked for, and not later than it has to. */
  static boolean mayBegin(Reservation open, long startMs) {
    return startMs >= RunReservation.seconds(open.getCreatedMs())
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
