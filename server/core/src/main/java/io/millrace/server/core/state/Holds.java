package io.millrace.server.core.state;

/**
 * Sets of holds as PBS writes them: "n", or letters out of u, o, s in this order. A letter more, w,
 * stands behind them while the job's time has not come: it is no hold that anybody sets or
 * releases, but keeps the job from the schedulers like one.
 */
public final class Holds {
  private static final String HOLDS = "uos";

  /** Its time has not come. */
  public static final String WAIT = "w";

  private static final String ORDER = HOLDS + WAIT;
  private static final String NONE = "n";

  private Holds() {}

  public static boolean valid(String holds) {
    return holds.equals(NONE)
        || (!holds.isEmpty() && holds.chars().allMatch(letter -> HOLDS.indexOf(letter) >= 0));
  }

  /** What a job has of holds when it has these and is not to run before a time. */
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
