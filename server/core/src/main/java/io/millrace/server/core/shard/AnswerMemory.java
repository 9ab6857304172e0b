package io.millrace.server.core.shard;

import io.millrace.schemas.state.Answer;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;

/** Writes answers together with the timer that forgets them. */
public final class AnswerMemory {
  private static final long MINUTE_MS = 60_000;

  private AnswerMemory() {}

  public static void remember(State state, Answer answer) {
    state.answers().put(Keys.command(answer.getId()), answer);
    long dueMs = knownSinceMs(answer) + Shard.COMMAND_MEMORY_MS;
    // One timer a minute serves all answers of that minute.
    Timers.set(state, (dueMs / MINUTE_MS + 1) * MINUTE_MS, Timers.ANSWERS, "");
  }

  /** Some commands are answered hours after they were made, and may be repeated even then. */
  static long knownSinceMs(Answer answer) {
    return Math.max(answer.getGivenMs(), Keys.madeAtMs(answer.getId()));
  }
}
