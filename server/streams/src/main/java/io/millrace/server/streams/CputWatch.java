package io.millrace.server.streams;

import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.TaskOrdered;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a shard which of its runs with tasks have used more processor time on all their hosts than
 * their jobs may. A run without tasks is watched by its supervisor.
 */
final class CputWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CputWatch.class);
  private static final String CPUT = "cput";
  private static final ResourceDefinition LIMIT = ResourceTable.standard().find(CPUT).orElseThrow();

  private static final long NO_LIMIT = -1;
  private static final long LOOK_MS = 2_000;

  /** Time between two commands about the same run. */
  private static final long AGAIN_MS = 30_000;

  private final LiveUsages usages;

  /** Runs of this shard that have or had tasks and may use no more than so many seconds. */
  private final Map<Long, Bounded> bounded = new HashMap<>();

  /** The place of what the shard knows of a run from itself. */
  private static final String HERE = "";

  /**
   * Runs whose jobs were read before, so that none is read from the store each time; most runs in
   * heartbeats belong to other shards. By host, as one may tell of runs that there are not.
   */
  private final Map<LiveUsages.JobOnHost, Integer> known = new HashMap<>();

  private long lookedMs;

  /** The limit of a job's run, and the time of the next command about it. */
  private static final class Bounded {
    private final int run;
    private final long limitS;
    private long toldAgainMs;

    Bounded(int run, long limitS) {
      this.run = run;
      this.limitS = limitS;
    }

    private boolean mayBeTold(long nowMs) {
      return nowMs >= toldAgainMs || toldAgainMs > nowMs + AGAIN_MS;
    }
  }

  CputWatch(LiveUsages usages) {
    this.usages = usages;
  }

  /** Learns of tasks from facts, also of tasks that are too short to be sampled. */
  void hear(View view, List<SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      if (fact instanceof TaskOrdered task) {
        meet(view, new LiveUsages.JobOnHost(JobNumbers.of(task.getJobId()), HERE), task.getRun());
      }
    }
  }

  /** Commands for the shard about runs over their limit. */
  List<SpecificRecord> due(View view, long nowMs, Supplier<CommandMeta> meta) {
    lookedMs = Math.min(lookedMs, nowMs); // the clock may have been set back
    if (nowMs - lookedMs < LOOK_MS) {
      return List.of();
    }
    lookedMs = nowMs;
    Map<LiveUsages.JobOnHost, Integer> heard = usages.withTasks();
    known.keySet().removeIf(it -> !heard.containsKey(it) && !bounded.containsKey(it.number()));
    heard.forEach((it, run) -> meet(view, it, run));
    List<SpecificRecord> due = new ArrayList<>();
    Iterator<Map.Entry<Long, Bounded>> all = bounded.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, Bounded> one = all.next();
      Bounded bound = one.getValue();
      Job job = view.jobs().get(Keys.number(one.getKey()));
      if (job == null || job.getRun() != bound.run || job.getStatus() == JobStatus.FINISHED) {
        all.remove();
      } else if (runs(job) && bound.mayBeTold(nowMs)) {
        long usedS = usages.cputS(job);
        if (usedS > bound.limitS) {
          bound.toldAgainMs = nowMs + AGAIN_MS;
          due.add(new NoteCputExceeded(meta.get(), job.getId(), job.getRun(), usedS));
        }
      }
    }
    return due;
  }

  /** Reads a job once for each of its runs. */
  private void meet(View view, LiveUsages.JobOnHost which, int run) {
    Integer before = known.get(which);
    if (before != null && before >= run) {
      return;
    }
    known.put(which, run);
    long number = which.number();
    Job job = view.jobs().get(Keys.number(number));
    long limitS = job == null || job.getRun() != run ? NO_LIMIT : limitS(job);
    if (limitS != NO_LIMIT) {
      bounded.put(number, new Bounded(run, limitS));
    }
  }

  private static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING && job.getKilling() == KillPurpose.NONE;
  }

  /** The limit in seconds, at least one. */
  private static long limitS(Job job) {
    for (Attribute asked : job.getSpec().getResourceList()) {
      if (asked.getName().equals(CPUT)) {
        try {
          return Math.max(1, Amounts.parse(LIMIT, asked.getValue()));
        } catch (RequestException e) {
          // Checked at submission; an exception here would stop the shard.
          LOG.error("{}: its cput is not held over all its hosts: {}", job.getId(), e.toString());
          return NO_LIMIT;
        }
      }
    }
    return NO_LIMIT;
  }
}
