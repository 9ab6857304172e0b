package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/**
 * Why a class was left, and what has to change before it is worth another try.
 *
 * @param subject resource, queue, partition, place, property or job, as {@link ReasonCode} says
 * @param watch when to try again
 * @param untilMs when it will end by what is known; {@link #UNKNOWN} when nothing is
 */
public record Shortage(
    ReasonCode code, String subject, ShortageAmounts numbers, Watch watch, long untilMs) {

  public static final long UNKNOWN = -1;

  /** Needed, free now, and there if nothing ran; in base units or in nodes. */
  public record ShortageAmounts(long needed, long free, long total) {
    public static final ShortageAmounts NONE = new ShortageAmounts(0, 0, 0);
  }

  /** What a blocked class waits for. */
  public enum ShortageWatch {
    /** Some node has at least the amount free. */
    NODE,
    /** All nodes together have at least the amount free. */
    TOTAL,
    /** The nodes, the queue or the scheduler object are changed. */
    CHANGE
  }

  /** Resource by number, and amount; unused for CHANGE. */
  public record Watch(ShortageWatch level, int resource, long amount) {
    public static final Watch CHANGE = new Watch(ShortageWatch.CHANGE, 0, 0);
  }

  public static Shortage untilChange(ReasonCode code, String subject) {
    return new Shortage(code, subject, ShortageAmounts.NONE, Watch.CHANGE, UNKNOWN);
  }

  /** A copy with the time at which the shortage is expected to end. */
  public Shortage until(long timeMs) {
    return timeMs == untilMs ? this : new Shortage(code, subject, numbers, watch, timeMs);
  }

  /** The shortage as a reason that can be put into words, of a class that is not named. */
  public ClassReason reason() {
    return ClassReason.newBuilder()
        .setClassKey("")
        .setCode(code.name())
        .setSubject(subject)
        .setNeeded(numbers.needed())
        .setFree(numbers.free())
        .setTotal(numbers.total())
        .setSinceMs(0)
        .setUntilMs(untilMs)
        .build();
  }

  /** True for a run limit: the shortage lasts until less of what the limit counts is in use. */
  public boolean limited() {
    return code == ReasonCode.RUN_LIMIT || code == ReasonCode.RESOURCE_LIMIT;
  }

  /**
   * True when the job's value is below {@code job_sort_formula}'s threshold, so that only a higher
   * value ends it.
   */
  public boolean ofWorth() {
    return code == ReasonCode.UNDER_THRESHOLD;
  }

  /** True when preempting or delaying other jobs could end the shortage. */
  public boolean curable() {
    return switch (code) {
      case TOTAL_INSUFFICIENT,
          NODE_INSUFFICIENT,
          PLACE_INSUFFICIENT,
          SET_INSUFFICIENT,
          CLUSTER_INSUFFICIENT,
          WOULD_DELAY,
          BOOKED ->
          true;
      default -> false;
    };
  }

  /** True when the class was left without being tried. */
  public boolean untried() {
    return code == ReasonCode.WORK_LIMIT || code == ReasonCode.STRICT_ORDER;
  }

  /**
   * True when the reason as users see it differs from the earlier one in more than amounts and
   * times.
   */
  public boolean differs(Shortage before) {
    return before == null
        || code != before.code
        || !subject.equals(before.subject)
        || numbers.needed != before.numbers.needed
        || numbers.total != before.numbers.total;
  }
}
