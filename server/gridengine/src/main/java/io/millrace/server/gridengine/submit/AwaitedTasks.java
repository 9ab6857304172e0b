package io.millrace.server.gridengine.submit;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.AwaitedJob;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The jobs of one submission, of which somebody wants to know when they start and end. */
final class AwaitedTasks {

  private final Map<Integer, AwaitedJob> open = new TreeMap<>();
  private boolean begun;

  /**
   * The end of a job.
   *
   * @param place in the order of submission
   * @param job empty when nobody knows how it ended
   */
  record AwaitedEnd(int place, Optional<Job> job) {}

  /**
   * @param jobs in the order of submission
   */
  AwaitedTasks(List<AwaitedJob> jobs) {
    for (int i = 0; i < jobs.size(); i++) {
      open.put(i, jobs.get(i));
    }
  }

  /** Looks at all that are not known to be over; those that are over since the last look. */
  List<AwaitedEnd> look() throws InterruptedException {
    List<AwaitedEnd> ends = new ArrayList<>();
    Iterator<Map.Entry<Integer, AwaitedJob>> each = open.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Integer, AwaitedJob> entry = each.next();
      Optional<Job> job = entry.getValue().look();
      begun |= job.filter(AwaitedTasks::begun).isPresent();
      boolean finished = job.filter(it -> it.getStatus() == JobStatus.FINISHED).isPresent();
      if (finished || entry.getValue().gone()) {
        ends.add(new AwaitedEnd(entry.getKey(), job));
        each.remove();
      }
    }
    return ends;
  }

  /** Whether the job has had a run, also one that was lost meanwhile. */
  static boolean begun(Job job) {
    return job.getRun() > 0;
  }

  /** Whether any has been seen that has begun. */
  boolean anyBegun() {
    return begun;
  }

  /** How many are not known to be over. */
  int open() {
    return open.size();
  }

  boolean over() {
    return open.isEmpty();
  }
}
