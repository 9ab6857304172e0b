package io.millrace.server.core.state;

/**
 * Sets of holds as PBS writes them: "n", or letters out of u, o, s in this order. Further letters
 * stand behind them, which like a hold keep the job from the schedulers: w while the job's
 * execution time is ahead, which nobody sets or releases, and e for the error state of a job of
 * Grid Engine, which nobody sets and who may act on the job clears.
 */
public final class Holds {
  private static final String HOLDS = "uos";

  /** The job waits for its execution time. */
  public static final String WAIT = "w";

  /** The job could not be started by its own fault, and waits for somebody to mend it. */
  public static final String ERROR = "e";

  private static final String ORDER = HOLDS + WAIT + ERROR;
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

  /** Those of the holds that are among these. */
  public static String only(String of, String which) {
    return of.equals(NONE)
        ? NONE
        : keep(letter -> of.indexOf(letter) >= 0 && which.indexOf(letter) >= 0);
  }

  private static String keep(java.util.function.IntPredicate wanted) {
    StringBuilder holds = new StringBuilder();
    ORDER.chars().filter(wanted).forEach(letter -> holds.append((char) letter));
    return holds.length() == 0 ? NONE : holds.toString();
  }
}
