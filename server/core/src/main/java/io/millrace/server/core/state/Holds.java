package io.millrace.server.core.state;

/**
 * Sets of holds as PBS writes them: "n", or letters out of u, o, s in this order. A further letter,
 * w, stands behind them while the job's execution time is ahead: nobody sets or releases it, but
 * like a hold it keeps the job from the schedulers.
 */
public final class Holds {
  private static final String HOLDS = "uos";

  /** The job waits for its execution time. */
  public static final String WAIT = "w";

  private static final String ORDER = HOLDS + WAIT;
  private static final String NONE = "n";

  private Holds() {}

  public static boolean valid(String holds) {
    return holds.equals(NONE)
        || (!holds.isEmpty() && holds.chars().allMatch(letter -> HOLDS.indexOf(letter) >= 0));
  }

  /** The holds of a job with an execution time. */
  public static String until(String holds, long executionMs, long nowMs) {
    return executionMs > nowMs ? union(holds, WAIT) : minus(holds, WAIT);
  }

  public static String union(String one, String other) {
    if (one.equals(NONE) && other.equals(NONE)) {
      return NONE;
    }
    return keep(letter -> one.indexOf(letter) >= 0 || other.indexOf(letter) >= 0);
  }

  public static String minus(String from, String what) {
    if (from.equals(NONE)) {
      return NONE;
    }
    return keep(letter -> from.indexOf(letter) >= 0 && what.indexOf(letter) < 0);
  }

  private static String keep(java.util.function.IntPredicate wanted) {
    StringBuilder holds = new StringBuilder();
    ORDER.chars().filter(wanted).forEach(letter -> holds.append((char) letter));
    return holds.length() == 0 ? NONE : holds.toString();
  }
}
