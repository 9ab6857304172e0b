package io.millrace.server.client;

/** The time that one invocation may spend waiting, and the growing pauses that use it up. */
final class RetryBudget {
  private static final long FIRST_CONNECT_MS = 3_000;
  private static final long FIRST_PAUSE_MS = 20;
  private static final long LONGEST_PAUSE_MS = 500;
  private static final long NOTE_AFTER_MS = 2_000;
  private final long budgetMs;
  private long waitedMs;
  private long pauseMs = FIRST_PAUSE_MS;

  RetryBudget(long budgetMs) {
    this.budgetMs = budgetMs;
  }

  /** 20 seconds, or what {@code MILLRACE_CLIENT_TIMEOUT_S} says. */
  static RetryBudget fromEnvironment() {
    String given = System.getenv("MILLRACE_CLIENT_TIMEOUT_S");
    if (given == null || given.isEmpty()) {
      return new RetryBudget(20_000);
    }
    long seconds;
    try {
      seconds = Long.parseLong(given);
    } catch (NumberFormatException e) {
      seconds = -1;
    }
    if (seconds < 0 || seconds > 86_400) {
      throw new ProtocolViolation(
          "MILLRACE_CLIENT_TIMEOUT_S=" + given + ": give seconds from 0 to 86400");
    }
    return new RetryBudget(seconds * 1000);
  }

  /**
   * A conversation took so long. One that was no shorter than all the time for waiting was not
   * another failure in a row: whatever breaks after it has all that time again.
   */
  void conversed(long ms) {
    if (ms >= budgetMs) {
      waitedMs = 0;
      pauseMs = FIRST_PAUSE_MS;
    }
  }

  /** Whether whoever waits is to be told why. */
  boolean isLong() {
    return waitedMs >= NOTE_AFTER_MS;
  }

  /**
   * Sleeps for the next pause; false once the time is used up. Pauses are spread, so that many
   * clients do not come back together.
   */
  boolean pause(boolean everReached) throws InterruptedException {
    long mostMs = everReached ? budgetMs : Math.min(budgetMs, FIRST_CONNECT_MS);
    if (waitedMs >= mostMs) {
      return false;
    }
    long spread = pauseMs * (System.nanoTime() >>> 8 & 0xff) / 256;
    long ms = Math.min(pauseMs / 2 + spread, mostMs - waitedMs);
    Thread.sleep(ms);
    waitedMs += ms;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  }
}
