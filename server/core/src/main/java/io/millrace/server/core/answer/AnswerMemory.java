package io.millrace.server.core.answer;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;

/** Writes answers together with the timer that forgets them. */
public final class AnswerMemory {
  /** How long an answer is remembered, so that a repeated command is not decided twice. */
  public static final long KEPT_MS = 15 * 60_000L;

  /** Kind of the timers; they have no subject. */
  private static final String TIMER = "answers";

  private static final int FORGOTTEN_AT_ONCE = 200;
  private static final long MINUTE_MS = 60_000;

  private AnswerMemory() {}

  public static void remember(State state, Answer answer) {
    state.answers().put(Keys.command(answer.getId()), answer);
    long dueMs = knownSinceMs(answer) + KEPT_MS;
    // One timer a minute serves all answers of that minute.
    Timers.set(state, (dueMs / MINUTE_MS + 1) * MINUTE_MS, TIMER, "");
  }

  /** Forgets answers that are old enough; the timer stays while more of them are left. */
  public static Decision forget(Context c, Timer timer) {
    long oldestMs = c.nowMs() - KEPT_MS;
    List<CommandId> ids = new ArrayList<>();
    c.view()
        .answers()
        .scan(
            "",
            null,
            (key, answer) -> {
              if (Keys.madeAtMs(answer.getId()) >= oldestMs || ids.size() == FORGOTTEN_AT_ONCE) {
                return false;
              }
              if (knownSinceMs(answer) < oldestMs) {
                ids.add(answer.getId());
              }
              return true;
            });
    Decision decision = Decision.none();
    if (!ids.isEmpty()) {
      decision.fact(new AnswersForgotten(c.stamp(), ids));
    }
    return ids.size() < FORGOTTEN_AT_ONCE
        ? decision.fact(new TimerFired(c.stamp(), timer))
        : decision;
  }

  /** Some commands are answered hours after they were made, and may be repeated even then. */
  private static long knownSinceMs(Answer answer) {
    return Math.max(answer.getGivenMs(), Keys.madeAtMs(answer.getId()));
  }
}
