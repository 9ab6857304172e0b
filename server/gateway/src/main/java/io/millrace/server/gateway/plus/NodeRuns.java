package io.millrace.server.gateway.plus;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When jobs ran on a node: each of their runs, without the times for which they were suspended, by
 * the events that are kept of a job. Of one with very many of them the first runs are not known.
 */
final class NodeRuns {

  /**
   * A time.
   *
   * @param toMs not part of it
   */
  record RunTime(long fromMs, long toMs) {}

  private final String node;
  private final long nowMs;
  private final List<RunTime> times = new ArrayList<>();

  /** When the run began of which is told, or goes on; -1 while there is none. */
  private long sinceMs = -1;

  /** Whether that run has the node. */
  private boolean here;

  /**
   * The runs of these jobs.
   *
   * @param nowMs runs that go on have lasted until now
   */
  NodeRuns(String node, long nowMs, List<Job> jobs) {
    this.node = node;
    this.nowMs = nowMs;
    jobs.forEach(this::add);
    times.sort(Comparator.comparingLong(RunTime::fromMs));
  }

  private void add(Job job) {
    sinceMs = -1;
    here = false;
    boolean granted = false;
    Optional<JobEvent> last = lastGrant(job);
    for (JobEvent event : job.getEvents()) {
      switch (event.getWhat()) {
        case "granted" -> {
          over(event.getAtMs()); // of a run whose end was not told
          granted = true;
          boolean present = job.getAllocation() != null && last.orElseThrow() == event;
          here = present ? has(job) : names(event.getDetail());
          sinceMs = event.getAtMs();
        }
        case "started" -> sinceMs = isOf(job, last, event) ? job.getStartedMs() : event.getAtMs();
        case "resumed" -> sinceMs = event.getAtMs();
        case "suspended", "requeued", "finished" -> over(event.getAtMs());
        default -> {
          // It says nothing of where the job runs.
        }
      }
    }
    if (!granted && job.getStartedMs() >= 0) {
      here = has(job);
      sinceMs = job.getStartedMs();
    }
    over(job.getStatus() == JobStatus.FINISHED ? job.getFinishedMs() : nowMs);
  }

  private static Optional<JobEvent> lastGrant(Job job) {
    return job.getEvents().stream()
        .filter(it -> it.getWhat().equals("granted"))
        .reduce((one, other) -> other);
  }

  /** Whether an event is of the run that the job has or had last, of which more is known. */
  private static boolean isOf(Job job, Optional<JobEvent> grant, JobEvent event) {
    return grant.isPresent()
        && job.getStartedMs() >= 0
        && job.getEvents().lastIndexOf(event) > job.getEvents().lastIndexOf(grant.get());
  }

  private void over(long atMs) {
    if (here && sinceMs >= 0 && atMs > sinceMs) {
      times.add(new RunTime(sinceMs, atMs));
    }
    sinceMs = -1;
  }

  private boolean has(Job job) {
    return job.getAllocation() != null
        && job.getAllocation().getShares().stream().map(NodeShare::getNode).anyMatch(node::equals);
  }

  /** Whether the exec_vnode of a run, "run 2 on (n1:ncpus=1)+(n2:ncpus=1)", has the node. */
  private boolean names(String detail) {
    return Stream.of("(", "+", " on ").anyMatch(it -> detail.contains(it + node + ":"));
  }

  /** For how long of a period at least one of them ran. */
  long usedMs(long fromMs, long toMs) {
    long used = 0;
    long countedMs = fromMs;
    for (RunTime time : times) {
      long beginMs = Math.max(countedMs, time.fromMs());
      long endMs = Math.min(toMs, time.toMs());
      used += Math.max(0, endMs - beginMs);
      countedMs = Math.max(countedMs, endMs);
    }
    return used;
  }
}
