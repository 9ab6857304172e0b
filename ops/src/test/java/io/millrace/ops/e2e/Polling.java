package io.millrace.ops.e2e;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;

/**
 * Polls for conditions, in place of sleeps, which are too long on one machine and too short on
 * another.
 */
final class Polling {

  private static final Duration FIRST_APART = Duration.ofMillis(50);
  private static final Duration LAST_APART = Duration.ofMillis(500);
  private static final int LATER_OF_TWENTY = 25;

  /**
   * The interval grows, because each poll may start a command that takes time from what is awaited.
   */
  private static final PollInterval SLOWER =
      IterativePollInterval.iterative(Polling::slower, FIRST_APART);

  private Polling() {}

  private static Duration slower(Duration before) {
    Duration next = before.multipliedBy(LATER_OF_TWENTY).dividedBy(20);
    return next.compareTo(LAST_APART) < 0 ? next : LAST_APART;
  }

  /** Whether the condition became true in this time; polls at least once. */
  static boolean within(Duration patience, Callable<Boolean> condition) {
    boolean[] so = new boolean[1];
    try {
      looks(patience, SLOWER).until(() -> so[0] = condition.call());
    } catch (ConditionTimeoutException e) {
      // The last poll may have been a long one, and counts.
    }
    return so[0];
  }

  /** Fails unless the condition holds during all this time; for what must not happen. */
  static void stays(Duration time, String what, Callable<Boolean> condition) {
    ConditionFactory looks = looks(time.multipliedBy(20).plusSeconds(60), SLOWER);
    looks
        .alias("stays so: " + what)
        .failFast(what, () -> !condition.call())
        .during(time)
        .until(condition);
  }

  /** Returns at this moment of the clock of {@link System#nanoTime}. */
  static void moment(long atNanos) {
    Duration left = Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    looks(left.plusSeconds(60), (count, before) -> Duration.ofMillis(1))
        .until(() -> System.nanoTime() >= atNanos);
  }

  private static ConditionFactory looks(Duration patience, PollInterval apart) {
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(apart)
        .atMost(patience.isZero() ? Duration.ofMillis(1) : patience);
  }
}
