package io.millrace.server.campaigns.core.pace;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.Locale;
import java.util.Optional;

/**
 * How hard pressed a cluster is, from 0 (at rest) to 1. Two things count, and the worse one is
 * taken: what the cluster tells itself, and how long its submissions took until their jobs were
 * known, which is the lag of its shard's inbox with the time of the decision.
 */
public final class ClusterStress {

  /** Above this nothing new is sent. */
  static final double MOST = NodeLoads.STRESS_TOO_MUCH / NodeLoads.STRESS_MOST;

  /** Submissions that take so long are a stress of 1; a shard that is taken over needs ten s. */
  private static final double TAKEN_MS_FULL = 30_000;

  /** More than that of one submission counts as this: an outage is over when it is over. */
  private static final long TAKEN_MS_MOST = 60_000;

  /** Of a measurement, beside those before. */
  private static final double WEIGHT = 0.25;

  /** Each look without a measurement leaves so much: one that gets nothing is tried again. */
  private static final double FADING = 0.8;

  /** What changes it by less is not written down: that would be done for each task. */
  private static final long NEWS_MS = 50;

  private ClusterStress() {}

  /** From 0 to 1. */
  public static double of(ClusterLoad load) {
    return Math.max(
        Math.min(1, Math.max(0, load.getStress())), Math.min(1, load.getTakenMs() / TAKEN_MS_FULL));
  }

  /** CiGri's form: what it is, and what may be. */
  public static String shown(ClusterLoad load) {
    return String.format(Locale.ROOT, "%.2f/%.1f", of(load), MOST);
  }

  /** Whether nothing new is sent there. */
  public static boolean tooMuch(ClusterLoad load) {
    return of(load) > MOST;
  }

  /** What is said of one that is too great. */
  public static String words(ClusterLoad load) {
    String head = String.format(Locale.ROOT, "its stress is %.2f, above %.1f", of(load), MOST);
    return load.getStress() >= load.getTakenMs() / TAKEN_MS_FULL
        ? head + ", as it says itself"
        : head + ": a submission takes " + load.getTakenMs() + " ms there";
  }

  /** What is seen of a cluster now, with what is remembered of its submissions. */
  public static ClusterLoad withTaken(ClusterLoad seen, Optional<ClusterLoad> before) {
    long takenMs = before.map(it -> (long) (it.getTakenMs() * FADING)).orElse(0L);
    return ClusterLoad.newBuilder(seen).setTakenMs(takenMs).build();
  }

  /** A submission to a cluster took so long. */
  public static void taken(CampaignTable table, String cluster, long ms) {
    ClusterLoad load = (ClusterLoad) table.get(CampaignKeys.load(cluster));
    if (load != null) {
      double all =
          (1 - WEIGHT) * load.getTakenMs() + WEIGHT * Math.min(TAKEN_MS_MOST, Math.max(0, ms));
      if (Math.abs(all - load.getTakenMs()) >= NEWS_MS) {
        load.setTakenMs((long) all);
        table.put(CampaignKeys.load(cluster), load);
      }
    }
  }
}
