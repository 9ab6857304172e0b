package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.ServerLeases;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.promise.PromiseNotes;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;

/** Decides by the policies of the core: a cycle after each fact that can change something. */
final class CorePlanner implements Planner {

  /** How often promises are looked at for those who are told of them. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SchedulerState state;
  private final BestEffort bestEffort;
  private final ServerLeases leases;
  private final Pauses pauses = new Pauses();
  private final CycleNotes notes;
  private final PromiseNotes promised;
  private long iterationNanos;
  private long lookedNanos;

  /**
   * @param bestEffort what is beside that state
   * @param notes are told what cycles decided
   */
  CorePlanner(SchedulerState state, BestEffort bestEffort, CycleNotes notes) {
    this.notes = notes;
    this.bestEffort = bestEffort;
    this.leases = new ServerLeases(bestEffort::eachInputs);
    this.state = state;
    this.promised = state.promiseNotes();
    this.iterationNanos = System.nanoTime();
    this.lookedNanos = iterationNanos - LOOK_NANOS;
  }

  @Override
  public void heard(SpecificRecord fact, long nowMs) {
    // SchedulerState notes itself what else a fact has changed.
    if (ServerLeases.resource(fact) != null) {
      pauses.end(NO_LEASE).forEach(bestEffort::endBackOff);
    }
    if (CycleTrigger.of(fact) == CycleTrigger.END && !pauses.isEmpty()) {
      // A run that outlived its walltime is in the way of a reservation's jobs, which are decided
      // as if they had nodes of their own: only the shard sees it there.
      pauses.cut(CorePlanner::isReserved).forEach(bestEffort::endBackOff);
    }
    leases.heard(fact, System.nanoTime());
  }

  private static boolean isReserved(String classKey) {
    return ReservationIds.isReserved(classKey.substring(0, classKey.indexOf(';')));
  }

  @Override
  public boolean due(long nowMs) {
    return state.workDue(nowMs) || bestEffort.due(nowMs);
  }

  @Override
  public long dueMs() {
    return Math.min(state.nextPromiseMs(), bestEffort.dueMs());
  }

  @Override
  public CyclePlan cycle(Proposals proposals, Instant now, long units) {
    // What best-effort jobs make due is nothing to the others: they have no cycle more for it.
    CycleDecisions decisions =
        state.workDue(now.toEpochMilli()) || !bestEffort.on()
            ? Cycle.run(state, now, units)
            : CycleDecisions.none(now);
    notes.decided(decisions);
    BestEffort.BestEffortOutcome round =
        bestEffort.round(decisions.starts(), now, Math.max(1, units - decisions.work().units()));
    notes.gaveWay(round);
    List<Proposed> starts = new ArrayList<>(round.starts().size());
    for (Start start : round.starts()) {
      starts.add(proposed(start, proposals, now.toEpochMilli()));
    }
    List<Stopping> stops = new ArrayList<>(decisions.preempted().size());
    for (List<Preempt> some : List.of(decisions.preempted(), round.stops())) {
      for (Preempt stop : some) {
        stops.add(new Stopping(stop.jobNumber(), proposals.preempt(stop, now.toEpochMilli())));
      }
    }
    return new CyclePlan(starts, stops, List.of(), seen(decisions, round), work(decisions, round));
  }

  private static CycleDecisions.CycleWork work(
      CycleDecisions decisions, BestEffort.BestEffortOutcome round) {
    CycleDecisions.CycleWork work = decisions.work();
    if (round.rest() == null) {
      return work;
    }
    CycleDecisions.CycleWork more = round.rest().work();
    return new CycleDecisions.CycleWork(
        work.units() + more.units(), work.limitHit() || more.limitHit());
  }

  private static Seen seen(CycleDecisions decisions, BestEffort.BestEffortOutcome round) {
    Seen seen = seen(decisions);
    if (round.rest() == null) {
      return seen;
    }
    Seen more = seen(round.rest());
    return new Seen(seen.jobs() + more.jobs(), seen.classes() + more.classes(), seen.promises());
  }

  private static Seen seen(CycleDecisions decisions) {
    int jobs = decisions.starts().size();
    for (CycleDecisions.Left left : decisions.left()) {
      jobs += left.owner().waiting().size();
    }
    return new Seen(jobs, decisions.left().size(), decisions.promises().size());
  }

  private Proposed proposed(Start start, Proposals proposals, long nowMs) {
    int suspended = bestEffort.stateOf(start.jobNumber()).answers().suspendedRun(start.jobNumber());
    return suspended > 0
        ? Proposed.of(start.jobNumber(), proposals.resume(start.jobNumber(), suspended, nowMs))
        : Proposed.of(start.jobNumber(), proposals.run(start, nowMs));
  }

  @Override
  public void refused(long number, int code, long nowMs) {
    SchedulerState its = bestEffort.stateOf(number);
    long now = System.nanoTime();
    // The answer to what the shard has asked for usually comes in the first pause.
    boolean telling = code != NO_LEASE || leases.overdue(now);
    String classKey = its.answers().backOff(number, Integer.toString(code), telling, nowMs);
    if (classKey != null) {
      pauses.start(classKey, code, now);
    }
  }

  @Override
  public void timers(long nowNanos) {
    if (!pauses.isEmpty()) {
      pauses.ended(nowNanos).forEach(bestEffort::endBackOff);
    }
    leases.timers(nowNanos);
    if (promised.due() && nowNanos - lookedNanos >= LOOK_NANOS) {
      lookedNanos = nowNanos;
      promised.look();
    }
    if (nowNanos - iterationNanos >= iterationLengthNanos()) {
      iterationNanos = nowNanos;
      bestEffort.retryAll();
    }
  }

  @Override
  public long nanosToTimer(long nowNanos, long otherwise) {
    long pause = leases.nanosToTimer(nowNanos, pauses.nanosToEnd(nowNanos, otherwise));
    if (promised.due()) {
      pause = Math.min(pause, lookedNanos + LOOK_NANOS - nowNanos);
    }
    return Math.min(pause, iterationNanos + iterationLengthNanos() - nowNanos);
  }

  private long iterationLengthNanos() {
    return TimeUnit.SECONDS.toNanos(state.settings().iterationS());
  }

  @Override
  public boolean hasReasons() {
    return state.reasons().hasChanges()
        || promised.hasChanges()
        || bestEffort.on() && bestEffort.rest().reasons().hasChanges();
  }

  @Override
  public ReasonBook.ReasonChanges takeReasons(int max) {
    if (!state.reasons().hasChanges() && promised.hasChanges()) {
      return promised.take(max);
    }
    // Classes have their queue in their key, so that each is in one of the two states only.
    boolean ofRest = !state.reasons().hasChanges() && bestEffort.on();
    return (ofRest ? bestEffort.rest() : state).reasons().take(max);
  }

  @Override
  public long accumulationS() {
    return state.settings().accumulationS();
  }
}
