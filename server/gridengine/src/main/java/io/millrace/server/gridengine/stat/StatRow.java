package io.millrace.server.gridengine.stat;

import io.millrace.schemas.state.Job;
import io.millrace.server.gridengine.cell.Texts;
import java.util.List;

/**
 * A line of qstat: a run, or tasks of a job that wait alike.
 *
 * @param job one of them
 * @param figures what its priority is made of; nothing for a job that is not considered
 * @param state as "r", "qw" or "hqw"
 * @param tasks their numbers as text; empty for a job that is no array
 * @param running whether it is a run
 */
record StatRow(Job job, PriorityParts figures, String state, String tasks, boolean running) {

  long number() {
    return Texts.number(job);
  }

  double priority() {
    return figures.total();
  }

  /** Queue instances of a run, the master's first; none for a job that waits. */
  List<String> queues() {
    boolean granted =
        running && job.getAllocation() != null && job.getAllocation().getGridEngine() != null;
    return granted ? job.getAllocation().getGridEngine().getQueues() : List.of();
  }

  /** The queue instance of its master; empty for a job that waits. */
  String master() {
    return queues().isEmpty() ? "" : queues().get(0);
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

  /** Name of the parallel environment that a run was granted; empty for none. */
  String environment() {
    return queues().isEmpty() ? "" : job.getAllocation().getGridEngine().getEnvironment();
  }

  /** When it began or, if it waits, was submitted; milliseconds since 1970. */
  long sinceMs() {
    return running ? job.getStartedMs() : job.getQueuedMs();
  }
}
