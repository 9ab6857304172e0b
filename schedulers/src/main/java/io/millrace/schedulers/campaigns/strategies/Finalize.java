package io.millrace.schedulers.campaigns.strategies;

import java.util.Comparator;
import java.util.List;

/**
 * The end of a campaign: no task waits, and processors are idle. Those tasks get a replica there
 * that run longest, and longer than a task takes on average: it is they that the campaign waits
 * for.
 */
public final class Finalize {

  /** Processor time of replicas, as a share of that of the tasks that were done. */
  private static final double EXTRA_MAX = 0.1;

  /** Nobody looks sooner than that whether a replica has become too long, ms. */
  private static final long LOOK_MS = 5_000;

  private Finalize() {}

  /**
   * A task that runs and may have a replica.
   *
   * @param ranMs for how long it runs
   */
  public record ReplicaCandidate(int task, long ranMs) {}

  /**
   * What a campaign has cost, processor milliseconds.
   *
   * @param done run time of the tasks that were done
   * @param replicas run time of replicas
   */
  public record CampaignWork(double done, double replicas) {
    double left() {
      return EXTRA_MAX * done - replicas;
    }
  }

  /**
   * What a replica that runs has to be taken for until the next look, ms: it takes as long as a
   * task does, or is on its way to take longer.
   */
  public static long expectedMs(long ranMs, long meanMs) {
    return Math.max(meanMs, soonMs(ranMs));
  }

  /** How long a replica has run at the next look, ms. */
  public static long soonMs(long ranMs) {
    return ranMs + LOOK_MS;
  }

  /** Whether the replicas cost too much, if these numbers are those of the next look. */
  public static boolean tooMuch(CampaignWork soon) {
    return soon.left() < 0;
  }

  /**
   * How many replicas more may begin.
   *
   * @param processors of a replica
   * @param work with those replicas that run, as they are expected
   */
  public static int affordable(long meanMs, int processors, CampaignWork work) {
    double each = (double) processors * expectedMs(0, meanMs);
    return (int) Math.max(0, Math.floor(work.left() / each));
  }

  /**
   * Tasks that get a replica now.
   *
   * @param room replicas for which there are idle processors
   * @param meanMs mean run time of a task
   * @param processors of a replica
   * @param work with those replicas that run, as they are expected
   */
  public static List<Integer> chosen(
      List<ReplicaCandidate> running, int room, long meanMs, int processors, CampaignWork work) {
    int most = Math.min(room, affordable(meanMs, processors, work));
    return running.stream()
        .filter(it -> it.ranMs() > meanMs)
        .sorted(
            Comparator.comparingLong(ReplicaCandidate::ranMs)
                .reversed()
                .thenComparingInt(ReplicaCandidate::task))
        .limit(most)
        .map(ReplicaCandidate::task)
        .toList();
  }
}
