package io.millrace.server.core.admission;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queued;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the jobs that have not finished, by queue and by user, group and project. A count changes
 * when a job comes, goes, is moved or altered, not when it starts.
 */
public final class QueuedJobs {
  private QueuedJobs() {}

  /** The entities that a job counts for: its user, its group, its project, and all together. */
  public static List<String> whom(JobSpec spec) {
    return List.of(
        "o:" + LimitEntry.ALL,
        "u:" + spec.getOwner(),
        "g:" + spec.getGroup(),
        "p:" + spec.getProject());
  }

  public static String key(String queue, String whom) {
    return queue + "/" + whom;
  }

  /** What all chunks together ask for, and the job once; not to be changed. */
  public static Map<String, Long> amounts(ResourceRequest request) {
    List<Chunk> chunks = request.getChunks();
    boolean once = request.getJobWide().isEmpty();
    if (once && chunks.size() == 1 && chunks.get(0).getCount() == 1) {
      return chunks.get(0).getAmounts();
    }
    Map<String, Long> sums = new HashMap<>(request.getJobWide());
    for (Chunk chunk : chunks) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> sums.merge(name, amount * chunk.getCount(), Long::sum));
    }
    return sums;
  }

  static void replace(State state, Job before, Job after) {
    int was = weight(before);
    int is = weight(after);
    if (was == is && (was == 0 || alike(before.getSpec(), after.getSpec()))) {
      return;
    }
    if (was != 0) {
      add(state, before.getSpec(), -was);
    }
    if (is != 0) {
      add(state, after.getSpec(), is);
    }
  }

  /** As how many jobs it counts; an array counts as its subjobs that have not ended. */
  public static int weight(Job job) {
    return job == null || job.getStatus() == JobStatus.FINISHED ? 0 : ArrayStates.weight(job);
  }

  private static boolean alike(JobSpec one, JobSpec other) {
    return one.getQueue().equals(other.getQueue())
        && one.getOwner().equals(other.getOwner())
        && one.getGroup().equals(other.getGroup())
        && one.getProject().equals(other.getProject())
        && one.getRequest().equals(other.getRequest());
  }

  private static void add(State state, JobSpec spec, int by) {
    Map<String, Long> amounts = amounts(spec.getRequest());
    for (String whom : whom(spec)) {
      String key = key(spec.getQueue(), whom);
      Queued before = state.queued().get(key);
      long jobs = (before == null ? 0 : before.getJobs()) + by;
      if (jobs <= 0) {
        // Below zero when a job leaves that came before jobs were counted.
        state.queued().remove(key);
        continue;
      }
      Map<String, Long> sums =
          before == null ? new HashMap<>() : new HashMap<>(before.getAmounts());
      for (Map.Entry<String, Long> amount : amounts.entrySet()) {
        long sum = sums.getOrDefault(amount.getKey(), 0L) + by * amount.getValue();
        if (sum > 0) {
          sums.put(amount.getKey(), sum);
        } else {
          sums.remove(amount.getKey());
        }
      }
      state.queued().put(key, new Queued(spec.getQueue(), whom, jobs, sums));
    }
  }
}
