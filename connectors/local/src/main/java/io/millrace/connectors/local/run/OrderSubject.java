package io.millrace.connectors.local.run;

import java.util.Set;

/** Kinds of orders to a run. Of all but signals the last one is valid, whatever its number. */
public enum OrderSubject {
  SIGNAL,
  STANDING,
  HOLDING,
  LIMIT;

  public static final String SUSPEND = "suspend";
  public static final String RESUME = "resume";

  /** Of a run that may not have begun, as in an outside cluster. */
  public static final String HOLD = "hold";

  public static final String RELEASE = "release";

  private static final Set<String> HOLDINGS = Set.of(HOLD, RELEASE);

  private static final Set<String> STANDINGS = Set.of(SUSPEND, RESUME);

  /** Behind it come the seconds that the run may last from its start. */
  private static final String LIMIT_WORD = "limit";

  public static OrderSubject of(String order) {
    if (STANDINGS.contains(order)) {
      return STANDING;
    }
    if (HOLDINGS.contains(order)) {
      return HOLDING;
    }
    return order.startsWith(LIMIT_WORD) ? LIMIT : SIGNAL;
  }

  /**
   * The seconds of an order of {@link #LIMIT}.
   *
   * @throws IllegalArgumentException for any other order
   */
  public static long limitS(String order) {
    if (of(order) != LIMIT) {
      throw new IllegalArgumentException("'" + order + "' is no walltime");
    }
    return Long.parseLong(order.substring(LIMIT_WORD.length()));
  }
}
