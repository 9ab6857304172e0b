package io.millrace.schedulers.engine;

import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What is to be known of each cycle, for somebody who never makes the engine wait. */
final class CycleRecords {

  /** Time of a cycle: when it began, how long it took, and of it the thread's own. */
  record Took(Instant at, long wallNanos, long processorNanos) {}

  private final EngineSeat seat;
  private final Consumer<CycleDone> record;
  private final Set<CycleTrigger> triggers = EnumSet.noneOf(CycleTrigger.class);

  CycleRecords(EngineSeat seat, Consumer<CycleDone> record) {
    this.seat = seat;
    this.record = record;
  }

  /** Something has made the next cycle due. */
  void trigger(CycleTrigger trigger) {
    triggers.add(trigger);
  }

  /** A cycle is over. */
  void done(long cycle, Planner.CyclePlan plan, Took took, List<LogNote> notes) {
    record.accept(
        CycleDone.newBuilder()
            .setScheduler(seat.scheduler())
            .setEpoch(seat.epoch())
            .setCycle(cycle)
            .setAtMs(took.at().toEpochMilli())
            .setTrigger(CycleTrigger.words(triggers))
            .setJobs(plan.seen().jobs())
            .setClasses(plan.seen().classes())
            .setStarted(plan.starts().size())
            .setPreempted(plan.stops().size())
            .setPromised(plan.seen().promises())
            .setWorkUnits(plan.work().units())
            .setLimitHit(plan.work().limitHit())
            .setWallUs(TimeUnit.NANOSECONDS.toMicros(took.wallNanos()))
            .setCpuUs(TimeUnit.NANOSECONDS.toMicros(took.processorNanos()))
            .setNotes(notes)
            .build());
    triggers.clear();
  }
}
