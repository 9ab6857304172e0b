package io.millrace.schedulers.core.model;

import io.millrace.schemas.pbs.reasons.ReasonCode;

/**
 * Why a class was left, and what has to change before it is worth another try.
 *
 * @param subject resource, queue, partition, place, property or job, as {@link ReasonCode} says
 * @param watch when to try again
 * @param untilMs when it will end by what is known; {@link #UNKNOWN} when nothing is
 */
public record Shortage(
    ReasonCode code, String subject, Numbers numbers, Watch watch, long untilMs) {

  public static final long UNKNOWN = -1;

  /** Needed, free now, and there if nothing ran; in base units or in nodes. */
  public record Numbers(long needed, long free, long total) {
    public static final Numbers NONE = new Numbers(0, 0, 0);
  }

  /** What a blocked class waits for. */
  public enum Level {
    /** Some node has at least the amount free. */
    NODE,
    /** All nodes together have at least the amount free. */
    TOTAL,
    /** The nodes, the queue or the scheduler object are changed. */
    CHANGE
  }

  /** Resource by number, and amount; unused for CHANGE. */
  public record Watch(Level level, int resource, long amount) {
    public static final Watch CHANGE = new Watch(Level.CHANGE, 0, 0);
  }

  public static Shortage untilChange(ReasonCode code, String subject) {
    return new Shortage(code, subject, Numbers.NONE, Watch.CHANGE, UNKNOWN);
  }

  /** The same with a time at which it will end. */
  public Shortage until(long timeMs) {
    return timeMs == untilMs ? this : new Shortage(code, subject, numbers, watch, timeMs);
  }

  /** True when it lasts until less is in use of what a limit counts. */
  public boolean limited() {
    return code == ReasonCode.RUN_LIMIT || code == ReasonCode.RESOURCE_LIMIT;
  }

  /** True when it lasts until the first job of the class is worth more. */
  public boolean ofWorth() {
    return code == ReasonCode.UNDER_THRESHOLD;
  }

  /** True when it lasts until others give up some of what they hold, or will hold. */
  public boolean curable() {
    return switch (code) {
      case TOTAL_INSUFFICIENT, NODE_INSUFFICIENT, PLACE_INSUFFICIENT, WOULD_DELAY -> true;
      default -> false;
    };
  }

  /** True when it says that the class was not tried. */
  public boolean untried() {
    return code == ReasonCode.WORK_LIMIT || code == ReasonCode.STRICT_ORDER;
  }

  /** True when an observer would read another story than before, apart from amounts and times. */
  public boolean differs(Shortage before) {
    return before == null
        || code != before.code
        || !subject.equals(before.subject)
        || numbers.needed != before.numbers.needed
        || numbers.total != before.numbers.total;
  }
}
