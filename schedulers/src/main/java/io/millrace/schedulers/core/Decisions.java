package io.millrace.schedulers.core;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * What a cycle decided.
 *
 * @param at time of the cycle
 * @param starts in the order in which they were decided
 * @param left classes that were considered and of which no more jobs fit
 * @param promises that were made or moved; all that are held tells {@link
 *     SchedulerState#promises()}
 * @param dropped jobs that had a promise before, have none now and do not start
 * @param work units that were used, and whether they were too few
 */
public record Decisions(
    Instant at,
    List<Start> starts,
    List<Left> left,
    List<Promise> promises,
    Collection<Long> dropped,
    Work work) {

  /** A class whose jobs wait on, and why. */
  public record Left(ClassState owner, Shortage shortage) {

    /** Name of a {@link io.millrace.reservations.resources.ReasonCode}. */
    public String code() {
      return shortage.code().name();
    }

    /** When the shortage will end; -1 when nothing is known. */
    public long untilMs() {
      return shortage.untilMs();
    }
  }

  /**
   * @param units one for each class, node, event and start that was looked at
   * @param limitHit true when classes were not considered for lack of units
   */
  public record Work(long units, boolean limitHit) {}

  public boolean nothing() {
    return starts.isEmpty() && left.isEmpty() && promises.isEmpty() && dropped.isEmpty();
  }
}
