package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.promise.Promise;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * What a cycle decided.
 *
 * @param at time of the cycle
 * @param starts in the order in which they were decided
 * @param preempted running jobs that are to be stopped
 * @param left classes that were considered and of which no more jobs fit
 * @param plans what was promised, and to whom no more
 * @param work units that were used, and whether they were too few
 */
public record CycleDecisions(
    Instant at,
    List<Start> starts,
    List<Preempt> preempted,
    List<Left> left,
    Plans plans,
    CycleWork work) {

  /** The decisions of a cycle that looked at nothing. */
  public static CycleDecisions none(Instant at) {
    Plans plans = new Plans(List.of(), List.of());
    return new CycleDecisions(at, List.of(), List.of(), List.of(), plans, new CycleWork(0, false));
  }

  /**
   * Changes of promises.
   *
   * @param made that were made or moved; all that are held tells {@link SchedulerState#promises()}
   * @param dropped jobs that had a promise before, have none now and do not start
   */
  public record Plans(List<Promise> made, Collection<Long> dropped) {}

  /** Promises that were made or moved. */
  public List<Promise> promises() {
    return plans.made();
  }

  /** Jobs that had a promise before, have none now and do not start. */
  public Collection<Long> dropped() {
    return plans.dropped();
  }

  /** A class whose jobs wait on, and why. */
  public record Left(ClassState owner, Shortage shortage) {

    /** Name of a {@link io.millrace.schemas.pbs.reasons.ReasonCode}. */
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
  public record CycleWork(long units, boolean limitHit) {}

  public boolean nothing() {
    return starts.isEmpty()
        && preempted.isEmpty()
        && left.isEmpty()
        && promises().isEmpty()
        && dropped().isEmpty();
  }
}
