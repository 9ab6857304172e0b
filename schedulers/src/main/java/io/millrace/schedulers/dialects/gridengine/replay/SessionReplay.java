package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Replays a session from one run of the scheduler to the next. */
public final class SessionReplay {

  /** Time at which every session begins, so that replays of one session agree to the second. */
  public static final long BEGIN_S = 1_000_000_000L;

  private final ReplaySession session;
  private final ReplayedCluster stage;
  private final List<List<String>> sections = new ArrayList<>();
  private final List<String> profiles = new ArrayList<>();
  private final TreeSet<Long> flushes = new TreeSet<>();

  private SessionReplay(ReplaySession session) {
    this.session = session;
    this.stage = new ReplayedCluster(session);
  }

  public static SessionOutcome of(ReplaySession session) {
    SessionReplay replay = new SessionReplay(session);
    replay.play();
    return new SessionOutcome(
        BEGIN_S, replay.sections, replay.stage.outcomes(), List.copyOf(replay.profiles));
  }

  private void play() {
    long interval = session.scheduler().seconds("schedule_interval");
    long now = 0;
    long next = 0;
    do {
      now = next;
      stage.advance(now);
      run(now);
      flush(now);
      next = (now / interval + 1) * interval;
      Long flush = flushes.higher(now);
      if (flush != null && flush < next) {
        next = flush;
      }
    } while (!stage.over() && next <= session.limit_s());
  }

  private void run(long now) {
    ClusterState state =
        new ClusterState(stage.cluster(), session.scheduler(), stage.running(), stage.pending());
    Decisions decisions = GridEngineScheduler.decide(state, Instant.ofEpochSecond(BEGIN_S + now));
    stage.apply(decisions, now, sections.size());
    sections.add(decisions.section());
    if (!decisions.effort().profile().isEmpty()) {
      profiles.add(decisions.effort().profile());
    }
  }

  /**
   * Schedules extra runs after the coming submissions and ends (flush_submit_sec,
   * flush_finish_sec).
   */
  private void flush(long now) {
    OptionValues scheduler = session.scheduler();
    flushAfter((long) scheduler.number("flush_submit_sec"), stage.arrivals());
    flushAfter((long) scheduler.number("flush_finish_sec"), stage.ends());
    flushes.headSet(now, true).clear();
  }

  private void flushAfter(long delay_s, List<Long> events) {
    if (delay_s > 0) {
      events.forEach(event -> flushes.add(event + delay_s));
    }
  }

  /** A job as it was submitted in a session that begins at {@link #BEGIN_S}. */
  public static GridEngineJob.Urge urge(int priority, long arrival_s, long deadline_s) {
    return new GridEngineJob.Urge(
        priority, BEGIN_S + arrival_s, deadline_s == 0 ? 0 : BEGIN_S + deadline_s);
  }
}
