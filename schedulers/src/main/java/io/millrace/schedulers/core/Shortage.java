package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;

/**
 * Why a class was left, and what has to change before it is worth another try.
 *
 * @param subject resource, queue, partition, place, property or job, as {@link ReasonCode} says
 * @param watch when to try again
 * @param untilMs when it will end by what is known; {@link #UNKNOWN} when nothing is
 */
record Shortage(ReasonCode code, String subject, Numbers numbers, Watch watch, long untilMs) {

  static final long UNKNOWN = -1;

  /** Needed, free now, and there if nothing ran; in base units or in nodes. */
  record Numbers(long needed, long free, long total) {
    static final Numbers NONE = new Numbers(0, 0, 0);
  }

  /** What a blocked class waits for. */
  enum Level {
    /** Some node has at least the amount free. */
    NODE,
    /** All nodes together have at least the amount free. */
    TOTAL,
    /** The nodes, the queue or the scheduler object are changed. */
    CHANGE
  }

  /** Resource by number, and amount; unused for CHANGE. */
  record Watch(Level level, int resource, long amount) {
    static final Watch CHANGE = new Watch(Level.CHANGE, 0, 0);
  }

  static Shortage untilChange(ReasonCode code, String subject) {
    return new Shortage(code, subject, Numbers.NONE, Watch.CHANGE, UNKNOWN);
  }

  /** The same with a time at which it will end. */
  Shortage until(long timeMs) {
    return timeMs == untilMs ? this : new Shortage(code, subject, numbers, watch, timeMs);
  }

  /** True when it lasts until less is in use of what a limit counts. */
  boolean limited() {
    return code == ReasonCode.RUN_LIMIT || code == ReasonCode.RESOURCE_LIMIT;
  }

  /** True when it lasts until the first job of the class is worth more. */
  boolean ofWorth() {
    return code == ReasonCode.UNDER_THRESHOLD;
  }

  /** True when it lasts until others give up some of what they hold, or will hold. */
  boolean curable() {
    return switch (code) {
      case TOTAL_INSUFFICIENT, NODE_INSUFFICIENT, PLACE_INSUFFICIENT, WOULD_DELAY -> true;
      default -> false;
    };
  }

  /** True when it says that the class was not tried. */
  boolean untried() {
    return code == ReasonCode.WORK_LIMIT || code == ReasonCode.STRICT_ORDER;
  }

  /** True when an observer would read another story than before, apart from amounts and times. */
  boolean differs(Shortage before) {
    return before == null
        || code != before.code
        || !subject.equals(before.subject)
        || numbers.needed != before.numbers.needed
        || numbers.total != before.numbers.total;
  }
}
