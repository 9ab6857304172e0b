package io.millrace.server.core.reservation;

import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.common.ClusterObject;
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
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
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
    if (!SoonestStart.waits(job) || queue == null || RouteQueue.is(queue)) {
      throw new PbsRefusal(PbsError.BAD_STATE);
    }
    if (job.getSpec().getGridEngine() != null) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of Grid Engine's");
    }
    if (BestEffortQueue.is(queue)) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of a best-effort queue");
    }
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
}
