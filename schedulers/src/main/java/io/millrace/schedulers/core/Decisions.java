package io.millrace.schedulers.core;

import java.time.Instant;
import java.util.List;

/**
 * What a cycle decided. Nothing of it has happened yet.
 *
 * @param at time of the cycle
 * @param starts in the order in which they were decided
 * @param left classes that were considered and of which no more jobs fit
 * @param work units that were used, and whether they were too few
 */
public record Decisions(Instant at, List<Start> starts, List<Left> left, Work work) {

  /** A class whose jobs wait on, and why. */
  public record Left(ClassState owner, Shortage shortage) {
    public String classKey() {
      return owner.key;
    }

    /** Name of a {@link io.millrace.reservations.resources.ReasonCode}. */
    public String code() {
      return shortage.code().name();
    }
  }

  /**
   * @param units one for each class, node and start that was looked at
   * @param limitHit true when classes were not considered for lack of units
   */
  public record Work(long units, boolean limitHit) {}

  public boolean nothing() {
    return starts.isEmpty() && left.isEmpty();
  }
}
