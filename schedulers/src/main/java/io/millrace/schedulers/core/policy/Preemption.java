package io.millrace.schedulers.core.policy;

import io.millrace.schemas.pbs.attributes.PreemptLevels;
import io.millrace.schemas.pbs.attributes.PreemptLevels.Mark;
import io.millrace.schemas.pbs.attributes.PreemptOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose running jobs may be stopped for a waiting one, and how: those of a lower level.
 *
 * @param levels of jobs, the highest first
 * @param queuePriority queues of at least this priority are express queues
 * @param order in which way a job is stopped
 */
public record Preemption(PreemptLevels levels, long queuePriority, PreemptOrder order) {

  /** No run is ever preempted. */
  public static final Preemption NONE =
      new Preemption(new PreemptLevels(List.of()), Long.MAX_VALUE, new PreemptOrder(List.of()));

  /** Highest queue priority that PBS accepts. */
  private static final long HIGHEST_PRIORITY = 1023;

  private static final long LOWEST_PRIORITY = -1024;
  private static final int EXPRESS_LEVELS = (int) (HIGHEST_PRIORITY - LOWEST_PRIORITY + 1);

  /** True when there are at least two levels, so that one job can be above another. */
  public boolean on() {
    return !levels.levels().isEmpty();
  }

  /**
   * What the texts of the attributes say.
   *
   * @return nothing for texts that no attribute may have
   */
  public static Optional<Preemption> of(String prio, long queuePriority, String order) {
    Optional<PreemptLevels> levels = PreemptLevels.parse(prio);
    Optional<PreemptOrder> ways = PreemptOrder.parse(order);
    return levels.isEmpty() || ways.isEmpty()
        ? Optional.empty()
        : Optional.of(new Preemption(levels.get(), queuePriority, ways.get()));
  }

  /**
   * Level of a job; 0 is the highest.
   *
   * <p>As in PBS: a job that is in several levels is in the one of the most marks, of several such
   * in the highest; without any it is a normal job. Within a level of express queues those of a
   * queue of higher priority are above the others.
   *
   * @param has marks of the job; NORMAL_JOBS is never among them
   * @param priority of its queue
   */
  public int level(Set<Mark> has, long priority) {
    int listed = listed(has);
    boolean express =
        listed < levels.levels().size() && levels.levels().get(listed).contains(Mark.EXPRESS_QUEUE);
    long below = HIGHEST_PRIORITY - Math.max(LOWEST_PRIORITY, Math.min(HIGHEST_PRIORITY, priority));
    return listed * EXPRESS_LEVELS + (express ? (int) below : 0);
  }

  /**
   * Position of the marks' level in the list; the number of levels when the list has none for them.
   */
  private int listed(Set<Mark> has) {
    int found = -1;
    for (int i = 0; i < levels.levels().size(); i++) {
      Set<Mark> level = levels.levels().get(i);
      if (has.containsAll(level) && (found < 0 || level.size() > marks(found))) {
        found = i;
      }
    }
    if (found >= 0) {
      return found;
    }
    int normal = levels.levels().indexOf(EnumSet.of(Mark.NORMAL_JOBS));
    return normal >= 0 ? normal : levels.levels().size();
  }

  private int marks(int level) {
    return levels.levels().get(level).size();
  }
}
