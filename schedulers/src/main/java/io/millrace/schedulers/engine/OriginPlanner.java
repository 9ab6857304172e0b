package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.origin2000.live.OriginCycles;
import io.millrace.schedulers.dialects.origin2000.live.OriginFollower;
import io.millrace.schedulers.dialects.origin2000.live.OriginStart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides as NAS's Origin2000 scheduler does: a cycle after each fact that can change something,
 * each {@code scheduler_iteration} while jobs wait, and when prime time begins or ends.
 */
final class OriginPlanner implements Planner {

  private static final Logger LOG = LoggerFactory.getLogger(OriginPlanner.class);

  private final OriginFollower state;
  private final OriginCycles cycles;
  private boolean wasChosen;

  /**
   * @param launchesMax starts that may be proposed and not yet answered
   * @param limits of the server and of queues
   */
  OriginPlanner(OriginFollower state, int launchesMax, LimitGate limits) {
    this.state = state;
    this.cycles = new OriginCycles(state, launchesMax, limits);
  }

  /** Whether the scheduler object's policy is Origin2000's. */
  boolean chosen() {
    if (wasChosen && !state.chosen()) {
      cycles.leave();
      state.forgetJobs();
    }
    wasChosen = state.chosen();
    return wasChosen;
  }

  @Override
  public void heard(SpecificRecord fact, long nowMs) {
    // The follower notes itself what a fact has changed.
  }

  @Override
  public boolean due(long nowMs) {
    return !state.lacksJobs() && cycles.due(nowMs);
  }

  @Override
  public long dueMs() {
    return state.lacksJobs() ? Long.MAX_VALUE : cycles.dueMs();
  }

  @Override
  public CyclePlan cycle(Proposals proposals, Instant now, long units) {
    long nowMs = now.toEpochMilli();
    OriginCycles.OriginCycleOutcome outcome = cycles.run(now);
    outcome.tried().forEach((number, what) -> LOG.info("TEST_ONLY: job {}: {}", number, what));
    List<Proposed> starts = new ArrayList<>();
    for (OriginStart start : outcome.starts()) {
      starts.add(Proposed.of(start.number(), proposals.run(start, nowMs)));
    }
    state
        .takeToResume()
        .forEach((job, run) -> starts.add(Proposed.of(job, proposals.resume(job, run, nowMs))));
    List<Proposed> givenUp = new ArrayList<>();
    outcome
        .deletions()
        .forEach(
            (number, why) ->
                givenUp.add(Proposed.of(number, proposals.reject(number, why, nowMs))));
    return new CyclePlan(
        starts,
        List.of(),
        givenUp,
        new Seen(outcome.looked(), 0, 0),
        new CycleDecisions.CycleWork(outcome.looked(), false));
  }

  @Override
  public void refused(long number, int code, long nowMs) {
    if (code == NO_LEASE) {
      cycles.lacksLease(number, nowMs);
      return;
    }
    LOG.warn("The start of job {} was refused with code {}", number, code);
    String why =
        code == UNHEARD
            ? "The server did not answer when it was to start"
            : "The server refused to start it (code " + code + ")";
    cycles.refused(number, why + "; it is tried again after a minute", nowMs);
  }

  @Override
  public void timers(long nowNanos) {
    // It has no timers but its cycles.
  }

  @Override
  public long nanosToTimer(long nowNanos, long otherwise) {
    return otherwise;
  }

  @Override
  public boolean hasReasons() {
    return cycles.hasReasons();
  }

  @Override
  public ReasonBook.ReasonChanges takeReasons(int max) {
    return cycles.takeReasons(max);
  }

  @Override
  public long accumulationS() {
    return 0; // as in the original, a submission is looked at
  }
}
