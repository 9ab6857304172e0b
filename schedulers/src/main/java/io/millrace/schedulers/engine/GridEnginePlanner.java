package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.gridengine.live.LiveScheduler;
import io.millrace.schedulers.dialects.gridengine.live.LiveState;
import io.millrace.schedulers.dialects.gridengine.live.ProposedStart;
import io.millrace.schedulers.engine.measure.ScheduleFile;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunMadeResumable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides as Grid Engine does, and when: a run each {@code schedule_interval}, and extra ones so
 * many seconds after a submission ({@code flush_submit_sec}) or an end ({@code flush_finish_sec}).
 */
final class GridEnginePlanner implements Planner {

  /**
   * Number of runs for which a job is not tried again on a host on which the shard has refused its
   * start.
   */
  private static final int RUNS_ELSEWHERE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(GridEnginePlanner.class);

  private static final String NOT_AT_ONCE = "it could not start at once";

  private final LiveState state;
  private final LiveScheduler scheduler;
  private final ScheduleFile monitor;
  private boolean wasChosen;
  private long lastRunMs;
  private long flushMs = Long.MAX_VALUE;

  /** True when no run was due after the last fact or run. */
  private boolean asleep;

  /**
   * @param launchesMax starts that may be proposed and not yet answered
   * @param limits of the server and of queues
   * @param monitor takes what MONITOR=1 writes
   */
  GridEnginePlanner(LiveState state, int launchesMax, LimitGate limits, ScheduleFile monitor) {
    this.state = state;
    this.scheduler = new LiveScheduler(state, launchesMax, limits);
    this.monitor = monitor;
  }

  /** Whether the scheduler object's policy is the Grid Engine one. */
  boolean chosen() {
    if (wasChosen && !state.chosen()) {
      scheduler.leave();
    }
    wasChosen = state.chosen();
    return wasChosen;
  }

  @Override
  public void heard(SpecificRecord fact, long nowMs) {
    boolean freed = state.takeFreed();
    if (fact instanceof JobQueued queued && state.owns(queued.getJob().getNumber())) {
      flush(scheduler.flushSubmitS(), nowMs);
    } else if (fact instanceof RunMadeResumable && state.anyToResume()) {
      flushMs = Math.min(flushMs, nowMs);
    } else if (freed && (fact instanceof RunFinished || fact instanceof JobDeleted)) {
      flush(scheduler.flushFinishS(), nowMs);
    }
    boolean slept = asleep;
    asleep = scheduler.idle();
    if (slept && !asleep) {
      passIntervals(nowMs);
    }
  }

  /**
   * The intervals go on while nothing waits, so that those who come within one are ordered
   * together, the first of them too.
   */
  private void passIntervals(long nowMs) {
    if (lastRunMs > 0 && nowMs > lastRunMs) {
      long interval = scheduler.intervalMs();
      lastRunMs += (nowMs - lastRunMs) / interval * interval;
    }
  }

  private void flush(long seconds, long nowMs) {
    if (seconds > 0) {
      flushMs = Math.min(flushMs, nowMs + 1000 * seconds);
    }
  }

  @Override
  public boolean due(long nowMs) {
    boolean setBack = lastRunMs > nowMs && !scheduler.idle(); // the clock, since the last run
    return setBack || nowMs >= dueMs();
  }

  @Override
  public long dueMs() {
    return scheduler.idle()
        ? Long.MAX_VALUE
        : Math.min(flushMs, lastRunMs + scheduler.intervalMs());
  }

  @Override
  public CyclePlan cycle(Proposals proposals, Instant now, long units) {
    // Intervals follow each other without drift, except after a late run.
    long nowMs = now.toEpochMilli();
    long interval = scheduler.intervalMs();
    lastRunMs = nowMs - lastRunMs < 2 * interval ? lastRunMs + interval : nowMs;
    if (nowMs < lastRunMs) {
      lastRunMs = nowMs; // an extra run begins a new interval
    }
    flushMs = Long.MAX_VALUE;
    LiveScheduler.LiveOutcome outcome = scheduler.run(now, units);
    asleep = scheduler.idle();
    if (scheduler.monitors()) {
      monitor.append(outcome.section());
    }
    if (!outcome.effort().profile().isEmpty()) {
      LOG.info("{}", outcome.effort().profile());
    }
    List<Proposed> starts = new ArrayList<>();
    for (ProposedStart launch : outcome.launches()) {
      starts.add(Proposed.of(launch.number(), proposals.run(launch, nowMs)));
    }
    state
        .takeToResume()
        .forEach((job, run) -> starts.add(Proposed.of(job, proposals.resume(job, run, nowMs))));
    List<Proposed> givenUp = new ArrayList<>();
    for (long number : outcome.givenUp()) {
      givenUp.add(Proposed.of(number, proposals.reject(number, NOT_AT_ONCE, nowMs)));
    }
    return new CyclePlan(
        starts,
        List.of(),
        givenUp,
        new Seen(outcome.looked(), 0, 0),
        new CycleDecisions.CycleWork(outcome.effort().units(), outcome.effort().cut()));
  }

  @Override
  public void refused(long number, int code, long nowMs) {
    if (code == NO_LEASE) {
      state.refused(number); // no host is to blame
      return;
    }
    LOG.warn("The start of job {} was refused with code {}", number, code);
    // Otherwise the next run would propose the same start again, and the job would wait for that
    // host for ever.
    state.refused(number, code != UNHEARD, nowMs, RUNS_ELSEWHERE * scheduler.intervalMs());
  }

  @Override
  public void timers(long nowNanos) {
    // A Grid Engine planner has no timers but its runs.
  }

  @Override
  public long nanosToTimer(long nowNanos, long otherwise) {
    return otherwise;
  }

  @Override
  public boolean hasReasons() {
    return scheduler.hasReasons();
  }

  @Override
  public ReasonBook.ReasonChanges takeReasons(int max) {
    List<ClassReason> reasons = scheduler.takeReasons(max);
    return new ReasonBook.ReasonChanges(reasons, scheduler.takeCleared(max - reasons.size()));
  }

  @Override
  public long accumulationS() {
    return 0; // flush_submit_sec says when submissions are looked at
  }
}
