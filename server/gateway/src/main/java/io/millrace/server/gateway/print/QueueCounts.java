package io.millrace.server.gateway.print;

import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Jobs by status and amounts in use, summed over the shards that tell of a queue. */
public final class QueueCounts {

  /** Name of the shards' count of jobs that wait for their execution time. */
  private static final String WAITING = "WAITING";

  /** Name of the shards' count of arrays that have begun. */
  private static final String BEGUN = "BEGUN";

  /**
   * Name of the shards' count of subjobs with a record that wait; their array is counted for them.
   */
  private static final String NEXT = "NEXT";

  private long waiting;
  private long begun;
  private final Map<JobStatus, Long> jobs = new EnumMap<>(JobStatus.class);
  private final Map<String, Long> assigned = new TreeMap<>();

  /** The sum over some queues; of one name, or of all for the server. */
  public static QueueCounts of(Collection<Queue> queues) {
    QueueCounts sum = new QueueCounts();
    for (Queue queue : queues) {
      queue.getCounts().forEach(sum::add);
      queue.getAssigned().forEach((name, amount) -> sum.assigned.merge(name, amount, Long::sum));
    }
    return sum;
  }

  private void add(String what, long count) {
    switch (what) {
      case NEXT -> {}
      case WAITING -> waiting += count;
      case BEGUN -> begun += count;
      default -> jobs.merge(JobStatus.valueOf(what), count, Long::sum);
    }
  }

  public long of(JobStatus status) {
    return jobs.getOrDefault(status, 0L);
  }

  /** Jobs that wait for their execution time. */
  long waiting() {
    return waiting;
  }

  /** Jobs that have not finished. */
  public long total() {
    return jobs.values().stream().mapToLong(Long::longValue).sum()
        + waiting
        + begun
        - of(JobStatus.FINISHED);
  }

  Map<String, Long> assigned() {
    return assigned;
  }

  /** {@code Transit:0 Queued:0 ...} with PBS's blank at its end. */
  String text() {
    return "Transit:%d Queued:%d Held:%d Waiting:%d Running:%d Exiting:%d Begun:%d "
        .formatted(
            of(JobStatus.TRANSIT),
            of(JobStatus.QUEUED),
            of(JobStatus.HELD),
            waiting,
            of(JobStatus.RUNNING),
            of(JobStatus.EXITING),
            begun);
  }
}
