package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.question.QueryPace;
import java.time.Duration;

/**
 * Bounds and times of a bridge.
 *
 * @param queryLeast shortest time between two questions for the whole queue
 * @param queryMost longest
 * @param commandLimit how long a command may take; one that was under way when its bridge was
 *     killed may live that long
 * @param settle how long after an unclear submission the look for its tag counts as final
 * @param accountingDelay for how long accounting is read after a run is missed in the queue
 * @param waitingMost runs that may wait outside
 * @param waitingMostAccount the same for each account
 * @param runsMost runs that are known at the same time
 * @param submissionsAtOnce submissions that may be under way together
 */
public record BridgeTerms(
    Duration queryLeast,
    Duration queryMost,
    Duration commandLimit,
    Duration settle,
    Duration accountingDelay,
    int waitingMost,
    int waitingMostAccount,
    int runsMost,
    int submissionsAtOnce) {

  /** The longest pause of questions that a run may wait for. */
  private static final Duration FOLLOWING_MOST = Duration.ofMinutes(1);

  /** Of questions that follow the queue's answers, which do not come to the millisecond. */
  QueryPace followingPace() {
    Duration longest = FOLLOWING_MOST.compareTo(queryLeast) < 0 ? queryLeast : FOLLOWING_MOST;
    Duration most = queryMost.compareTo(longest) < 0 ? queryMost : longest;
    return new QueryPace(queryLeast.dividedBy(2), most);
  }
}
