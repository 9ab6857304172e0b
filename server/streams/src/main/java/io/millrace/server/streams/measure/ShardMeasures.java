package io.millrace.server.streams.measure;

import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** The numbers of one shard, told by its thread: from facts as they come, and from small tables. */
public final class ShardMeasures {

  private static final long LOOK_MS = 1_000;
  private static final double MS_OF_SECOND = 1_000.0;
  private static final String UP = "up";
  private static final String DOWN = "down";

  private final String shard;
  private final Measures measures;
  private final WaitingJobs waiting = new WaitingJobs();

  /** Labels of the gauges that were told. */
  private Set<Series> told = new HashSet<>();

  private long lookedMs;

  private record Series(Metric metric, List<String> labels) {}

  public ShardMeasures(int shard) {
    this(shard, Measures.ofProcess());
  }

  ShardMeasures(int shard, Measures measures) {
    this.shard = Integer.toString(shard);
    this.measures = measures;
  }

  /** All jobs of the shard are read anew: {@link #known} is told of each. */
  public void begin() {
    waiting.clear();
  }

  /** A job of a snapshot. */
  public void known(Job job) {
    waiting.note(job);
  }

  /** Facts that the state has followed. */
  public void hear(View view, List<SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      if (fact instanceof JobQueued it) {
        if (!isSubjob(it.getJob().getId())) {
          measures.count(Metric.SUBMISSIONS);
        }
        waiting.note(it.getJob());
      } else if (fact instanceof JobReleased it) {
        waiting.note(job(view, it.getJobId()));
      } else if (fact instanceof JobAccepted it) {
        waiting.note(it.getJob());
      } else if (fact instanceof RunStarted it) {
        started(job(view, it.getJobId()), it.getStartedMs());
      } else if (fact instanceof RunFinished) {
        measures.count(Metric.ENDS);
      } else if (fact instanceof RunRequeued it) {
        measures.count(Metric.REQUEUES);
        waiting.note(job(view, it.getJobId()));
      } else if (fact instanceof NodeWentDown) {
        measures.count(Metric.EXECUTORS_LOST);
      }
    }
  }

  /** An array itself is {@code 7[].server}. */
  private static boolean isSubjob(String id) {
    int bracket = id.indexOf('[');
    return bracket >= 0 && id.charAt(bracket + 1) != ']';
  }

  private static Job job(View view, String id) {
    return view.jobs().get(Keys.number(Keys.jobNumber(id)));
  }

  private void started(Job job, long startedMs) {
    measures.count(Metric.STARTS);
    if (job != null) {
      long since = job.getEligibleMs() >= 0 ? job.getEligibleMs() : job.getQueuedMs();
      // Two clocks: that of the host may be behind.
      measures.observe(Metric.START_LATENCY, Math.max(0, startedMs - since) / MS_OF_SECOND);
    }
  }

  /** Tells what can be seen without a scan of jobs, once a second. */
  public void look(View view, long nowMs) {
    if (Math.abs(nowMs - lookedMs) < LOOK_MS) {
      return;
    }
    lookedMs = nowMs;
    Set<Series> now = new HashSet<>();
    view.queues()
        .scan(
            "",
            null,
            (name, queue) -> {
              jobs(now, queue);
              return true;
            });
    long[] nodes = nodes(view);
    if (nodes[0] + nodes[1] > 0) {
      set(now, Metric.NODES, nodes[0], shard, UP);
      set(now, Metric.NODES, nodes[1], shard, DOWN);
    }
    set(now, Metric.SHARD_OWNED, 1, shard);
    double waitedS = waiting.waitedMs(view, nowMs) / MS_OF_SECOND;
    set(now, Metric.OLDEST_RUNNABLE, waitedS, shard);
    told.removeAll(now);
    told.forEach(this::drop);
    told = now;
  }

  /** Of queues of reservations, of which there may be ten thousand, only those that have jobs. */
  private void jobs(Set<Series> now, Queue queue) {
    boolean reserved = ReservationIds.isReserved(queue.getName());
    for (Map.Entry<String, Long> count : queue.getCounts().entrySet()) {
      if (!reserved || count.getValue() > 0) {
        String state = count.getKey().toLowerCase(Locale.ROOT);
        set(now, Metric.JOBS, count.getValue(), shard, queue.getName(), state);
      }
    }
  }

  /** How many are up, and how many are not. */
  private static long[] nodes(View view) {
    long[] counts = new long[2];
    view.nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              counts[node.getUp() ? 0 : 1]++;
              return true;
            });
    return counts;
  }

  private void set(Set<Series> now, Metric metric, double value, String... labels) {
    measures.set(metric, value, labels);
    now.add(new Series(metric, List.of(labels)));
  }

  private void drop(Series gone) {
    measures.drop(gone.metric(), gone.labels().toArray(new String[0]));
  }

  /** The shard is not here any more. */
  public void close() {
    told.forEach(this::drop);
    told.clear();
    waiting.clear();
  }
}
