package io.millrace.server.core.answer;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.AnswerRoundEnded;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Remembers answers for a number of rounds, a minute each. Rounds are counted instead of
 * milliseconds because a clock may leap: however far it does, one round ends, and no answer is
 * forgotten before its time.
 *
 * <p>A command is refused as too old when its answer may be forgotten: when it was made no later
 * than another one whose answer is. That compares commands with commands, and not with the shard's
 * time, which is another host's clock.
 */
public final class AnswerMemory {
  /** How long an answer is remembered, so that a repeated command is not decided twice. */
  public static final long KEPT_MS = 15 * 60_000L;

  /** Kind of the timer; it has no subject. */
  private static final String TIMER = "answers";

  private static final int FORGOTTEN_AT_ONCE = 200;
  private static final long ROUND_MS = 60_000;
  private static final long ROUNDS = KEPT_MS / ROUND_MS;

  /** How late a round may end where nothing else happens: answers are forgotten later then. */
  private static final long PATIENCE_MS = 10 * 60_000L;

  private AnswerMemory() {}

  /** How long after its time an idle shard leaves a timer alone. */
  public static long patienceMs(Timer timer) {
    return timer.getKind().equals(TIMER) ? PATIENCE_MS : 0;
  }

  /** Remembers an answer from now on, also one that another shard gave. */
  public static void remember(State state, Answer answer) {
    ShardState numbers = ShardNumbers.of(state);
    long round = numbers.getAnswerRound();
    state
        .answers()
        .put(
            Keys.command(answer.getId()),
            new Answer(
                answer.getId(),
                answer.getCode(),
                answer.getLines(),
                answer.getQueues(),
                round,
                answer.getDeadlineMs()));
    if (numbers.getAnswerRoundDueMs() == 0) {
      ShardState after = Copies.of(numbers);
      roundDue(state, after, numbers.getTimeMs() + ROUND_MS);
      state.numbers().put(Keys.NUMBERS, after);
    }
  }

  /** Whether the answer to a command that is not remembered may have been forgotten. */
  public static boolean mayBeForgotten(ShardState numbers, CommandId id, long nowMs) {
    long madeMs = Keys.madeAtMs(id);
    boolean leapt = numbers.getAnswerRound() - numbers.getLeaptRound() < ROUNDS;
    boolean near =
        Math.abs(nowMs - madeMs) <= KEPT_MS
            || (leapt && Math.abs(numbers.getLeaptFromMs() - madeMs) <= KEPT_MS);
    return madeMs <= numbers.getForgottenMadeMs()
        || (madeMs <= numbers.getSkippedMadeMs() && !near);
  }

  /**
   * Whether a command may be decided although it was answered: it was withdrawn up to a deadline,
   * and is sent again with a later one.
   */
  public static boolean isOpenAgain(Answer answer, CommandMeta command) {
    long deadlineMs = command.getDeadlineMs();
    return answer.getDeadlineMs() > 0 && (deadlineMs == 0 || deadlineMs > answer.getDeadlineMs());
  }

  /** Forgets answers that are old enough; the timer stays while more of them are left. */
  static Decision forget(Context c, Timer timer) {
    Set<String> keys = new LinkedHashSet<>();
    List<CommandId> ids = new ArrayList<>();
    ShardState numbers = c.numbers();
    collect(c, "", c.nowMs() - KEPT_MS, keys, ids);
    if (numbers.getSetBackFromMs() > c.nowMs() + KEPT_MS) {
      // Made in a time that the clock left again: they would stay until it comes there.
      String from = Keys.madeAt(c.nowMs() + KEPT_MS + 1);
      collect(c, from, numbers.getSetBackFromMs(), keys, ids);
    }
    Decision decision = Decision.none();
    if (!ids.isEmpty()) {
      decision.fact(new AnswersForgotten(c.stamp(), ids));
    }
    if (ids.size() >= FORGOTTEN_AT_ONCE) {
      return decision;
    }
    long nextMs = left(c, keys) ? nextMs(timer, c.nowMs()) : 0;
    return decision.fact(new AnswerRoundEnded(c.stamp(), timer, nextMs));
  }

  /** After a leap a whole round follows. */
  private static long nextMs(Timer timer, long nowMs) {
    long inTurnMs = timer.getDueMs() + ROUND_MS;
    return inTurnMs > nowMs ? inTurnMs : nowMs + ROUND_MS;
  }

  /** Answers to commands made from a key on and before a time that are old enough. */
  private static void collect(
      Context c, String from, long beforeMs, Set<String> keys, List<CommandId> ids) {
    long round = c.numbers().getAnswerRound();
    c.view()
        .answers()
        .scan(
            from,
            null,
            (key, answer) -> {
              if (Keys.madeAtMs(answer.getId()) >= beforeMs || ids.size() >= FORGOTTEN_AT_ONCE) {
                return false;
              }
              if (round - answer.getGivenRound() >= ROUNDS) {
                keys.add(key);
                ids.add(answer.getId());
              }
              return true;
            });
  }

  /** Whether there are answers but for these. */
  private static boolean left(Context c, Set<String> keys) {
    boolean[] left = {false};
    c.view()
        .answers()
        .scan(
            "",
            null,
            (key, answer) -> {
              left[0] = !keys.contains(key);
              return !left[0];
            });
    return left[0];
  }

  /** Applies that answers are forgotten. */
  static void forgotten(State state, AnswersForgotten fact) {
    ShardState after = Copies.of(ShardNumbers.of(state));
    for (CommandId id : fact.getIds()) {
      state.answers().remove(Keys.command(id));
      long madeMs = Keys.madeAtMs(id);
      if (madeMs < fact.getMeta().getAtMs()) {
        after.setForgottenMadeMs(Math.max(after.getForgottenMadeMs(), madeMs));
      } else {
        after.setSkippedMadeMs(Math.max(after.getSkippedMadeMs(), madeMs));
      }
    }
    state.numbers().put(Keys.NUMBERS, after);
  }

  /** Applies the end of a round. */
  static void ended(State state, AnswerRoundEnded fact) {
    Timers.remove(state, fact.getTimer().getDueMs(), TIMER, "");
    ShardState after = Copies.of(ShardNumbers.of(state));
    after.setAnswerRound(after.getAnswerRound() + 1);
    after.setAnswerRoundDueMs(0);
    if (fact.getNextMs() > 0) {
      roundDue(state, after, fact.getNextMs());
    }
    state.numbers().put(Keys.NUMBERS, after);
  }

  private static void roundDue(State state, ShardState after, long dueMs) {
    after.setAnswerRoundDueMs(dueMs);
    Timers.set(state, dueMs, TIMER, "");
  }

  /**
   * Applies that a queue is in this shard, perhaps only from now on. Answers to submissions to it
   * may have been forgotten elsewhere, but none to a command that was made later than this.
   *
   * @param cause the directive
   */
  public static void queueCame(State state, CommandId cause, long atMs) {
    long madeMs = Math.min(atMs, Keys.madeAtMs(cause)) - KEPT_MS;
    ShardState numbers = ShardNumbers.of(state);
    if (madeMs > numbers.getForgottenMadeMs()) {
      ShardState after = Copies.of(numbers);
      after.setForgottenMadeMs(madeMs);
      state.numbers().put(Keys.NUMBERS, after);
    }
  }

  /** Notes a leap of the shard's time in either direction; what is under way was made before it. */
  public static void noteLeap(ShardState before, ShardState after) {
    if (Math.abs(after.getTimeMs() - before.getTimeMs()) > ROUND_MS) {
      after.setLeaptFromMs(before.getTimeMs());
      after.setLeaptRound(before.getAnswerRound());
    }
  }

  /** Applies that the clock was set back; commands made from then on are new ones. */
  public static void setBack(State state, long fromMs, long toMs) {
    ShardState after = Copies.of(ShardNumbers.of(state));
    after.setSetBackFromMs(Math.max(after.getSetBackFromMs(), fromMs));
    long newestMs = toMs - KEPT_MS;
    if (after.getForgottenMadeMs() > newestMs) {
      after.setSkippedMadeMs(Math.max(after.getSkippedMadeMs(), after.getForgottenMadeMs()));
      after.setForgottenMadeMs(newestMs);
    }
    if (after.getAnswerRoundDueMs() > 0) {
      Timers.remove(state, after.getAnswerRoundDueMs(), TIMER, "");
      roundDue(state, after, toMs + ROUND_MS);
    }
    state.numbers().put(Keys.NUMBERS, after);
  }
}
