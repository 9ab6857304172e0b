package io.millrace.schemas.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Records that Kafka Streams has polled, not given to a task, and dropped as it closed that task.
 *
 * <p>When a commit does not come through in its time, Kafka Streams closes all tasks in place, and
 * has the consumer go back once they are restored. Where the group is divided anew before that, it
 * makes new tasks that do not know of it: the consumer goes on behind what was dropped, which is
 * then never decided. So a thread whose task was closed while the consumer keeps its partitions
 * gives up all of them before it polls again, and takes them anew from what was committed.
 *
 * <p>Each thread sees its own tasks only.
 */
public final class DroppedRecords {
  private final ThreadLocal<ThreadTasks> mine = ThreadLocal.withInitial(ThreadTasks::new);

  private static final class ThreadTasks {
    final List<Predicate<TopicPartition>> closed = new ArrayList<>();
    final Set<TopicPartition> moved = new HashSet<>();
  }

  /**
   * A task of the calling thread was closed.
   *
   * @param partitions the partitions of its input
   */
  public void closed(Predicate<TopicPartition> partitions) {
    mine.get().moved.removeIf(partitions);
    mine.get().closed.add(partitions);
  }

  /** The calling thread's consumer reads these, if at all, from what was committed. */
  public void moved(Collection<TopicPartition> partitions) {
    ThreadTasks tasks = mine.get();
    partitions.stream()
        .filter(it -> tasks.closed.stream().anyMatch(task -> task.test(it)))
        .forEach(tasks.moved::add);
  }

  /**
   * Asked before the calling thread goes on.
   *
   * @param assigned what its consumer reads
   * @return in one line, what was dropped of partitions that stayed as their task was closed; empty
   *     for nothing, and at the next time
   */
  public Optional<String> behind(Set<TopicPartition> assigned) {
    ThreadTasks tasks = mine.get();
    if (tasks.closed.isEmpty()) {
      return Optional.empty();
    }
    Set<String> behind =
        assigned.stream()
            .filter(it -> tasks.closed.stream().anyMatch(task -> task.test(it)))
            .filter(it -> !tasks.moved.contains(it))
            .map(TopicPartition::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    mine.remove();
    return behind.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "what was polled of "
                + String.join(", ", behind)
                + " was dropped as a transaction did not come through: all is read again from what"
                + " was committed");
  }
}
