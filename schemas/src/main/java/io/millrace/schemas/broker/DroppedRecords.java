package io.millrace.schemas.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Records that Kafka Streams has polled, not given to a task, and dropped as it closed that task.
 *
 * <p>When a commit does not come through in its time, Kafka Streams closes all tasks in place, and
 * has the consumer go back once they are restored. Where the group is divided anew before that, it
 * makes new tasks that do not know of it: the consumer goes on behind what was dropped, which is
 * then never decided. So a thread whose task was closed while the consumer keeps its partitions
 * ends before it polls again; the thread that replaces it reads on from what was committed.
 *
 * <p>Each thread sees its own tasks only.
 */
public final class DroppedRecords {
  private final ThreadLocal<ThreadTasks> mine = ThreadLocal.withInitial(ThreadTasks::new);

  private static final class ThreadTasks {
    final List<Predicate<TopicPartition>> closed = new ArrayList<>();
    final Set<TopicPartition> moved = new HashSet<>();
  }

  /** The consumer is behind records that nobody has decided. */
  public static final class DroppedRecordsException extends RetriableException {
    private static final long serialVersionUID = 1L;

    DroppedRecordsException(String message) {
      super(message);
    }
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
   * Before the calling thread polls again.
   *
   * @param assigned what its consumer reads
   * @throws DroppedRecordsException in one line, when a task was closed and its partitions stayed
   */
  public void check(Set<TopicPartition> assigned) {
    ThreadTasks tasks = mine.get();
    if (tasks.closed.isEmpty()) {
      return;
    }
    Set<String> behind =
        assigned.stream()
            .filter(it -> tasks.closed.stream().anyMatch(task -> task.test(it)))
            .filter(it -> !tasks.moved.contains(it))
            .map(TopicPartition::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    mine.remove();
    if (!behind.isEmpty()) {
      throw new DroppedRecordsException(
          "a commit did not come through, and what was polled of "
              + String.join(", ", behind)
              + " was dropped: it is read again from what was committed");
    }
  }
}
