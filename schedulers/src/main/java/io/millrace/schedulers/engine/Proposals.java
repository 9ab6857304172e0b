package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.ReservationDecision;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.dialects.gridengine.live.ProposedStart;
import io.millrace.schedulers.dialects.origin2000.live.OriginStart;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.util.List;

/** Builds an engine's commands. */
final class Proposals {

  private static final int NOBODY_WAITS = -1;

  private final EngineSeat seat;
  private final String host;
  private final ProposalIds ids = new ProposalIds();

  Proposals(EngineSeat seat, String host) {
    this.seat = seat;
    this.host = host;
  }

  RunJob run(Start start, long nowMs) {
    String jobId = JobNumbers.id(start.jobNumber(), seat.server());
    return new RunJob(meta(nowMs), seat.scheduler(), seat.epoch(), jobId, start.shares(), null, "");
  }

  RunJob run(ProposedStart launch, long nowMs) {
    String jobId = JobNumbers.id(launch.number(), seat.server());
    return new RunJob(
        meta(nowMs), seat.scheduler(), seat.epoch(), jobId, launch.shares(), launch.grant(), "");
  }

  /** Proposes to run a job in a queue, into which it goes for that. */
  RunJob run(OriginStart start, long nowMs) {
    String jobId = JobNumbers.id(start.number(), seat.server());
    return new RunJob(
        meta(nowMs),
        seat.scheduler(),
        seat.epoch(),
        jobId,
        List.of(start.share()),
        null,
        start.queue());
  }

  /** Proposes to resume the suspended run of a job. */
  ResumeRun resume(long job, int run, long nowMs) {
    String jobId = JobNumbers.id(job, seat.server());
    return new ResumeRun(meta(nowMs), seat.scheduler(), seat.epoch(), jobId, run);
  }

  /** Proposes to suspend a run until there is room again. */
  SuspendRun suspend(long job, int run, long nowMs) {
    String jobId = JobNumbers.id(job, seat.server());
    return new SuspendRun(meta(nowMs), seat.scheduler(), seat.epoch(), jobId, run);
  }

  /** Proposes to preempt a run for another job. */
  PreemptJob preempt(Preempt stop, long nowMs) {
    return new PreemptJob(
        meta(nowMs),
        seat.scheduler(),
        seat.epoch(),
        JobNumbers.id(stop.jobNumber(), seat.server()),
        JobNumbers.id(stop.forNumber(), seat.server()),
        stop.letters());
  }

  /** Proposes to reject a job that had to start at once and could not. */
  RejectJob reject(long job, String why, long nowMs) {
    String jobId = JobNumbers.id(job, seat.server());
    return new RejectJob(meta(nowMs), seat.scheduler(), seat.epoch(), jobId, why);
  }

  /** Proposes nodes for a reservation. */
  ConfirmReservation confirm(ReservationDecision decision, long nowMs) {
    return new ConfirmReservation(
        meta(nowMs),
        seat.scheduler(),
        seat.epoch(),
        decision.number(),
        decision.revision(),
        decision.shares(),
        decision.later().placements(),
        decision.later().lies(),
        decision.startMs());
  }

  /** Proposes to deny a reservation. */
  DenyReservation deny(ReservationDecision decision, long nowMs) {
    return new DenyReservation(
        meta(nowMs),
        seat.scheduler(),
        seat.epoch(),
        decision.number(),
        decision.revision(),
        decision.why());
  }

  RecordCycle record(
      long cycle, CycleDecisions.CycleWork work, ReasonBook.ReasonChanges changes, long nowMs) {
    return RecordCycle.newBuilder()
        .setMeta(meta(nowMs))
        .setScheduler(seat.scheduler())
        .setEpoch(seat.epoch())
        .setCycle(cycle)
        .setWorkUnits(work.units())
        .setWorkLimitHit(work.limitHit())
        .setReasons(changes.reasons())
        .setCleared(changes.cleared())
        .build();
  }

  private CommandMeta meta(long nowMs) {
    return new CommandMeta(
        ids.next(nowMs), seat.scheduler(), "", host, Role.ENGINE, NOBODY_WAITS, 0L);
  }
}
