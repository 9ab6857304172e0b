package io.millrace.schedulers.core.policy;

import io.millrace.schemas.attributes.PreemptLevels;
import io.millrace.schemas.attributes.PreemptLevels.Mark;
import io.millrace.schemas.attributes.PreemptOrder;
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

  /** Runs are left alone. */
  public static final Preemption NONE =
      new Preemption(new PreemptLevels(List.of()), Long.MAX_VALUE, new PreemptOrder(List.of()));

  /** True when there are levels at all, so that one may be above another. */
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
   * Level of a job; 0 is the highest, and the number of levels is that of one below all.
   *
   * <p>Simple semantics, as in PBS: the level that lists just the marks that the job has; without
   * such a one the first all of whose marks it has; without any such it is a normal job. Marks that
   * no level lists do not count.
   *
   * @param has marks of the job; NORMAL_JOBS is never among them
   */
  public int level(Set<Mark> has) {
    Set<Mark> marks = EnumSet.noneOf(Mark.class);
    for (Mark mark : has) {
      if (levels.names(mark)) {
        marks.add(mark);
      }
    }
    int exact = levels.levels().indexOf(marks);
    if (exact >= 0) {
      return exact;
    }
    for (int i = 0; i < levels.levels().size() && !marks.isEmpty(); i++) {
      if (marks.containsAll(levels.levels().get(i))) {
        return i;
      }
    }
    int normal = levels.levels().indexOf(EnumSet.of(Mark.NORMAL_JOBS));
    return normal >= 0 ? normal : levels.levels().size();
  }
}
