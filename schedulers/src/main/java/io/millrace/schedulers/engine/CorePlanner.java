package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.state.job.ReasonBook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;

/** Decides by the policies of the core: a cycle after each fact that can change something. */
final class CorePlanner implements Planner {

  private final SchedulerState state;
  private final Pauses pauses = new Pauses();
  private final CycleNotes notes;
  private long iterationNanos;

  /**
   * @param notes are told what cycles decided
   */
  CorePlanner(SchedulerState state, CycleNotes notes) {
    this.notes = notes;
    this.state = state;
    this.iterationNanos = System.nanoTime();
  }

  @Override
  public void heard(SpecificRecord fact, long nowMs) {
    // SchedulerState notes itself what a fact has changed.
  }

  @Override
  public boolean due(long nowMs) {
    return state.workDue(nowMs);
  }

  @Override
  public long dueMs() {
    return state.nextPromiseMs();
  }

  @Override
  public Plan cycle(Proposals proposals, Instant now, long units) {
    CycleDecisions decisions = Cycle.run(state, now, units);
    notes.decided(decisions);
    List<Proposed> starts = new ArrayList<>(decisions.starts().size());
    for (Start start : decisions.starts()) {
      starts.add(proposed(start, proposals, now.toEpochMilli()));
    }
    List<Stopping> stops = new ArrayList<>(decisions.preempted().size());
    for (Preempt stop : decisions.preempted()) {
      stops.add(new Stopping(stop.jobNumber(), proposals.preempt(stop, now.toEpochMilli())));
    }
    return new Plan(starts, stops, List.of(), seen(decisions), decisions.work());
  }

  private static Seen seen(CycleDecisions decisions) {
    int jobs = decisions.starts().size();
    for (CycleDecisions.Left left : decisions.left()) {
      jobs += left.owner().waiting().size();
    }
    return new Seen(jobs, decisions.left().size(), decisions.promises().size());
  }

  private Proposed proposed(Start start, Proposals proposals, long nowMs) {
    int suspended = state.suspendedRun(start.jobNumber());
    return suspended > 0
        ? Proposed.of(start.jobNumber(), proposals.resume(start.jobNumber(), suspended, nowMs))
        : Proposed.of(start.jobNumber(), proposals.run(start, nowMs));
  }

  @Override
  public void refused(long number, int code, long nowMs) {
    String classKey = state.backOff(number, Integer.toString(code), nowMs);
    if (classKey != null) {
      pauses.start(classKey, System.nanoTime());
    }
  }

  @Override
  public void timers(long nowNanos) {
    if (!pauses.isEmpty()) {
      pauses.ended(nowNanos).forEach(state::endBackOff);
    }
    if (nowNanos - iterationNanos >= iterationLengthNanos()) {
      iterationNanos = nowNanos;
      state.retryAll();
    }
  }

  @Override
  public long nanosToTimer(long nowNanos, long otherwise) {
    long pause = pauses.nanosToEnd(nowNanos, otherwise);
    return Math.min(pause, iterationNanos + iterationLengthNanos() - nowNanos);
  }

  private long iterationLengthNanos() {
    return TimeUnit.SECONDS.toNanos(state.settings().iterationS());
  }

  @Override
  public boolean hasReasons() {
    return state.reasons().hasChanges();
  }

  @Override
  public ReasonBook.Changes takeReasons(int max) {
    return state.reasons().take(max);
  }

  @Override
  public long accumulationS() {
    return state.settings().accumulationS();
  }
}
