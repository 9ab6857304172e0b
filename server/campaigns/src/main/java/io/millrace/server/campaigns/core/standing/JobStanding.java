package io.millrace.server.campaigns.core.standing;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** CiGri's types of campaigns; the usual one first. */
public enum JobStanding {
  /** Its jobs use what is idle, day and night; whether they give way is the queue's affair. */
  BEST_EFFORT("best-effort"),
  /** Best effort by day, ordinary jobs by night. */
  SEMI_BEST_EFFORT("semi-best-effort"),
  /** Ordinary jobs, by night only. */
  NIGHTLY("nightly"),
  /** Ordinary jobs, day and night. */
  NORMAL("normal");

  private static final long MS_PER_S = 1_000;

  private final String word;

  JobStanding(String word) {
    this.word = word;
  }

  /** Its name in a description. */
  public String word() {
    return word;
  }

  /** All names, the usual one first. */
  public static List<String> words() {
    return Arrays.stream(values()).map(JobStanding::word).toList();
  }

  public static Optional<JobStanding> find(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  public static JobStanding of(CampaignCluster cluster) {
    return find(cluster.getType()).orElseThrow();
  }

  /** The type of a campaign's jobs on a cluster, and where they go by night. */
  public static String shown(CampaignCluster cluster) {
    return cluster.getType()
        + (cluster.getNight() == null ? "" : ", by night in " + cluster.getNight().getName());
  }

  /** How a job of a cluster is submitted: in its own queue, or in that of the night. */
  public static String submitted(CampaignCluster cluster, boolean night) {
    boolean ordinary = night || of(cluster) == NIGHTLY || of(cluster) == NORMAL;
    return ordinary ? NORMAL.word : BEST_EFFORT.word;
  }

  /** Whether it is night at a cluster. */
  public static boolean isNight(ClusterLoad load, long nowMs) {
    return load.getNightUntilMs() > nowMs;
  }

  /** Whether a job that is sent now goes to the cluster's queue of the night. */
  public static boolean goesToNight(CampaignCluster cluster, ClusterLoad load, long nowMs) {
    return cluster.getNight() != null
        && load.getNightQueue().equals(cluster.getNight().getName())
        && isNight(load, nowMs);
  }

  /** What keeps the jobs of a campaign from a cluster now, in words; empty: nothing of this. */
  public static String hindrance(CampaignCluster cluster, ClusterLoad load, long nowMs) {
    JobStanding standing = of(cluster);
    String queue = "queue " + cluster.getName();
    if (standing == BEST_EFFORT) {
      return "";
    }
    if (standing == SEMI_BEST_EFFORT) {
      return load.getBestEffort()
          ? ""
          : queue + " is not best effort any more, which type semi-best-effort needs";
    }
    if (load.getBestEffort()) {
      return queue + " is best effort now, where type " + standing.word + " never goes";
    }
    return standing == NIGHTLY ? byNight(cluster, load, nowMs) : "";
  }

  /** A task begins only where it is over before the night is. */
  private static String byNight(CampaignCluster cluster, ClusterLoad load, long nowMs) {
    if (load.getNight().isEmpty()) {
      return "queue " + cluster.getName() + " has no night any more";
    }
    if (!isNight(load, nowMs)) {
      return "it is day there; its night is " + load.getNight();
    }
    long walltimeMs = Math.max(0, cluster.getJob().getRequest().getWalltimeS()) * MS_PER_S;
    long leftMs = load.getNightUntilMs() - nowMs;
    return walltimeMs > leftMs
        ? "the night there has " + leftMs / MS_PER_S + " s left, less than a task may run"
        : "";
  }

  /** Whether the job of a task that waits at a cluster has to come back: its time is over. */
  public static boolean comesBack(
      CampaignCluster cluster, OpenTask task, ClusterLoad load, long nowMs) {
    return switch (of(cluster)) {
      case SEMI_BEST_EFFORT -> task.getNight() && !goesToNight(cluster, load, nowMs);
      case NIGHTLY -> isLate(cluster, load, nowMs);
      case BEST_EFFORT, NORMAL -> false;
    };
  }

  /** Whether all that waits at a cluster has to come back: it is for the night, which is over. */
  public static boolean isLate(CampaignCluster cluster, ClusterLoad load, long nowMs) {
    return of(cluster) == NIGHTLY && !byNight(cluster, load, nowMs).isEmpty();
  }
}
