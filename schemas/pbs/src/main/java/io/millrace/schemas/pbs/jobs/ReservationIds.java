package io.millrace.schemas.pbs.jobs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ids of reservations, {@code R7.server}, and names of their queues, {@code R7}. The numbers are
 * out of those of the jobs.
 */
public final class ReservationIds {
  private static final Pattern QUEUE = Pattern.compile("[RSM]\\d+");
  private static final Pattern ID = Pattern.compile("([RSM](0|[1-9]\\d{0,11}))(?:\\..*)?");

  private static final Pattern WHOLE = Pattern.compile("W(0|[1-9]\\d{0,11})(?:\\..*)?");

  private ReservationIds() {}

  /** The number in the id of a reservation that has parts, or in its short name; -1 for neither. */
  public static long wholeNumber(String id) {
    Matcher match = WHOLE.matcher(id);
    return match.matches() ? Long.parseLong(match.group(1)) : -1;
  }

  /** The short name of a reservation that has parts. */
  public static String whole(long number) {
    return "W" + number;
  }

  /** The number in a reservation's id or in the name of its queue; -1 when it is neither. */
  public static long number(String idOrQueue) {
    Matcher match = ID.matcher(idOrQueue);
    return match.matches() ? Long.parseLong(match.group(2)) : -1;
  }

  /** The queue of a reservation by its id; empty when it is none. */
  public static String queue(String id) {
    Matcher match = ID.matcher(id);
    return match.matches() ? match.group(1) : "";
  }

  /**
   * Whether a queue's name is kept for reservations: a letter of theirs and digits, whether a
   * reservation could have this number or not.
   */
  public static boolean isReserved(String queue) {
    return QUEUE.matcher(queue).matches();
  }

  /** The queue of an advance reservation. */
  public static String advance(long number) {
    return "R" + number;
  }

  /** The queue of a standing reservation. */
  public static String standing(long number) {
    return "S" + number;
  }

  /** The queue of a maintenance reservation. */
  public static String maintenance(long number) {
    return "M" + number;
  }
}
