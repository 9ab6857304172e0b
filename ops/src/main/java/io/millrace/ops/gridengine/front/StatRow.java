package io.millrace.ops.gridengine.front;

import io.millrace.schemas.state.Job;
import java.util.List;

/**
 * A line of qstat: a run, or tasks of a job that wait alike.
 *
 * @param job one of them
 * @param priority 0 for a job that is not considered
 * @param state as "r", "qw" or "hqw"
 * @param tasks their numbers as text; empty for a job that is no array
 * @param running whether it is a run
 */
record StatRow(Job job, double priority, String state, String tasks, boolean running) {

  long number() {
    return Texts.number(job);
  }

  /** Queue instances of a run, the master's first; none for a job that waits. */
  List<String> queues() {
    boolean granted =
        running && job.getAllocation() != null && job.getAllocation().getGridEngine() != null;
    return granted ? job.getAllocation().getGridEngine().getQueues() : List.of();
  }

  /** Slots that it holds, or the least that it asks for. */
  int slots() {
    return running && job.getAllocation() != null
        ? job.getAllocation().getShares().stream().mapToInt(share -> share.getChunks()).sum()
        : job.getSpec().getRequest().getChunks().get(0).getCount();
  }

  /** Slots that it holds of one queue instance. */
  int slots(String queue) {
    int slots = 0;
    for (int i = 0; i < queues().size(); i++) {
      if (queues().get(i).equals(queue)) {
        slots += job.getAllocation().getShares().get(i).getChunks();
      }
    }
    return slots;
  }

  /** When it began or, if it waits, was submitted; milliseconds since 1970. */
  long sinceMs() {
    return running ? job.getStartedMs() : job.getQueuedMs();
  }
}
