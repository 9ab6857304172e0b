package io.millrace.server.core.share;

import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;

/** When and by how much usage fades. */
final class Fading {
  /** Kind of the timer; its subject is the name of the scheduler object. */
  static final String TIMER = "fading";

  private Fading() {}

  /** When usage is to fade next, for a fact that charges more; 0 when that stays as it is. */
  static long dueMs(Context c, String scheduler, SharePolicy policy) {
    if (policy.fadesMs() == 0) {
      return 0;
    }
    Scheduler state = c.view().schedulers().get(scheduler);
    long sinceMs = state == null || state.getFadedMs() == 0 ? c.nowMs() : state.getFadedMs();
    long dueMs = sinceMs + policy.fadesMs();
    String timer = Keys.timer(dueMs, TIMER, scheduler);
    return c.view().timers().get(timer) != null ? 0 : dueMs;
  }

  /** The timer is due. One that was set for another moment than the present one is out of date. */
  static void due(Context c, Timer timer, SharePolicy policy, Decision decision) {
    String scheduler = timer.getSubject();
    Scheduler state = c.view().schedulers().get(scheduler);
    boolean current = state != null && state.getFadesMs() == timer.getDueMs();
    if (!current || policy.fadesMs() == 0) {
      return;
    }
    long passedMs = c.nowMs() - state.getFadedMs();
    long times = passedMs / policy.fadesMs();
    long fadedMs = state.getFadedMs() + times * policy.fadesMs();
    decision.fact(faded(c, scheduler, policy, times, fadedMs));
    if (SharePolicy.ofStarts(c.view(), scheduler).isPresent()) {
      StartCharges.slowly(c, scheduler, times, decision);
    }
  }

  /** All usage fades so many times; the moment counts as the last one. */
  static UsageFaded faded(
      Context c, String scheduler, SharePolicy policy, long times, long fadedMs) {
    Scheduler state = c.view().schedulers().get(scheduler);
    double before = state == null ? 0 : state.getFaded();
    double now = before + times * FadedUsage.of(policy.factor());
    long nextMs = policy.fadesMs() == 0 ? 0 : fadedMs + policy.fadesMs();
    return new UsageFaded(c.stamp(), scheduler, now, fadedMs, nextMs);
  }
}
