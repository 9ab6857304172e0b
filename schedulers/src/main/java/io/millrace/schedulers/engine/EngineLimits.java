package io.millrace.schedulers.engine;

import java.time.Duration;

/**
 * Bounds of an engine.
 *
 * @param mailboxFacts facts that may wait to be followed; more make the engine stale
 * @param proposalsInFlight starts that may be proposed and not yet answered
 * @param expiry after which a proposal without an answer is taken back
 * @param cycleBudget aim for the length of one cycle, turned into units of work
 * @param watchdog length of one cycle at which the engine is given up
 */
public record EngineLimits(
    int mailboxFacts,
    int proposalsInFlight,
    Duration expiry,
    Duration cycleBudget,
    Duration watchdog) {

  /** RecordCycle commands that may be unanswered. */
  static final int RECORDS_IN_FLIGHT = 16;

  /** Reasons in one RecordCycle command. */
  static final int REASONS_PER_RECORD = 100;

  static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  public static EngineLimits standard() {
    return new EngineLimits(
        200_000, 1000, Duration.ofSeconds(5), Duration.ofMillis(20), Duration.ofSeconds(30));
  }
}
