package io.millrace.connectors.local.run;

import java.util.Set;

/** Kinds of orders to a run. Of all but signals the last one is valid, whatever its number. */
public enum OrderSubject {
  SIGNAL,
  STANDING,
  LIMIT;

  public static final String SUSPEND = "suspend";
  public static final String RESUME = "resume";

  private static final Set<String> STANDINGS = Set.of(SUSPEND, RESUME);

  /** Behind it come the seconds that the run may last from its start. */
  private static final String LIMIT_WORD = "limit";

  public static OrderSubject of(String order) {
    if (STANDINGS.contains(order)) {
      return STANDING;
    }
    return order.startsWith(LIMIT_WORD) ? LIMIT : SIGNAL;
  }
}
