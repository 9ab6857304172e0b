package io.millrace.server.campaigns.core;

import io.millrace.schedulers.campaigns.predictors.ClusterSight;
import io.millrace.schedulers.campaigns.predictors.Flow;
import io.millrace.schedulers.campaigns.predictors.Predictor;
import io.millrace.schedulers.campaigns.predictors.Predictor.PredictorTiming;
import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PredictorAsked;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.group.GroupSize;
import io.millrace.server.campaigns.core.standing.JobStanding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the predictors of campaigns let clusters have, and what they take back. What one remembers
 * lies in the state, and is changed by facts.
 */
final class PredictedRoom {

  private static final long MS_PER_S = 1_000;

  /** Between two questions to a predictor that is asked at intervals. */
  private static final long INTERVAL_MS = 30_000;

  /** A task that was sent so lately may begin at once; what is known of its job may be old. */
  private static final long FRESH_MS = 2_000;

  /** Tasks of a campaign that are taken back at one look. */
  private static final int TAKEN_AT_ONCE = 100;

  /** Tasks that are done sooner do not begin more often than such ones: starts take time, too. */
  private static final double SHORTEST_S = 0.1;

  private final CampaignState state;

  PredictedRoom(CampaignState state) {
    this.state = state;
  }

  /** The predictor of a campaign for a cluster, with what it remembers. */
  static Predictor predictor(CampaignCluster cluster) {
    Predictor predictor = Predictors.find(cluster.getPredictor()).orElseThrow();
    if (cluster.getAskedMs() > 0) {
      predictor.restore(new Predictor.PredictorMemory(cluster.getLevel(), cluster.getSent()));
    }
    return predictor;
  }

  private static boolean atIntervals(CampaignCluster cluster) {
    return predictor(cluster).asked() == PredictorTiming.EACH_INTERVAL;
  }

  /** The predictor of a campaign for a cluster, in words. */
  static String words(CampaignCluster cluster) {
    String words = predictor(cluster).words();
    boolean level = !words.isEmpty() && cluster.getAskedMs() > 0;
    return cluster.getPredictor() + (level ? ", " + words : "");
  }

  /** Jobs that wait, but for those that are taken back, or held, or have waited for very long. */
  private static int inTheWay(CampaignCluster cluster) {
    return cluster.getWaiting() - cluster.getLeaving() - cluster.getHeld() - cluster.getOverdue();
  }

  /** Tasks of all campaigns that wait at a cluster and are in the way of others. */
  int waiting(String name) {
    int waiting = 0;
    for (Campaign other : state.naming(name)) {
      waiting += CampaignState.cluster(other, name).map(PredictedRoom::inTheWay).orElse(0);
    }
    return waiting;
  }

  /** Processors of a cluster that are idle, beside those for the tasks that wait there. */
  int spare(String name) {
    long idle = load(name).map(ClusterLoad::getIdle).orElse(0);
    for (Campaign other : state.naming(name)) {
      idle -=
          CampaignState.cluster(other, name)
              .map(it -> (long) inTheWay(it) * it.getProcessors())
              .orElse(0L);
    }
    return (int) Math.max(0, idle);
  }

  private ClusterSight sight(CampaignCluster cluster, ClusterLoad load, int waiting) {
    double ranS = (double) cluster.getDoneMs() / MS_PER_S;
    double taskS = cluster.getDone() == 0 ? 0 : Math.max(SHORTEST_S, ranS / cluster.getDone());
    return new ClusterSight(
        load.getProcessors(),
        load.getIdle(),
        // What waits for very long is in the way of its own campaign: there is no more of it.
        waiting + cluster.getOverdue(),
        cluster.getRunning(),
        cluster.getRunningOfLast(),
        new ClusterSight.TypicalTask(cluster.getProcessors(), GroupSize.jobS(cluster, taskS)));
  }

  /**
   * How many further tasks of its campaign a cluster may have now.
   *
   * @param waiting tasks of all campaigns that wait there
   */
  int allowed(CampaignCluster cluster, ClusterLoad load, int waiting) {
    return atIntervals(cluster)
        ? cluster.getAllowed()
        : predictor(cluster).flow(sight(cluster, load, waiting)).send();
  }

  /** When the predictor is asked again, in seconds; empty for one that is asked at each fact. */
  Optional<Long> againS(CampaignCluster cluster, long nowMs) {
    long leftMs = Math.max(0, cluster.getAskedMs() + INTERVAL_MS - nowMs);
    return atIntervals(cluster)
        ? Optional.of((leftMs + MS_PER_S - 1) / MS_PER_S)
        : Optional.empty();
  }

  private Optional<ClusterLoad> load(String name) {
    return state.load(name).filter(it -> it.getProcessors() > 0);
  }

  private static Optional<CampaignCluster> paced(Campaign campaign, String name) {
    return campaign.getTest() || campaign.getCancelled()
        ? Optional.empty()
        : CampaignState.cluster(campaign, name);
  }

  /**
   * Asks a predictor whose time has come.
   *
   * @param turn whether the cluster's room goes to the campaign now; others may have to give back
   */
  Optional<PredictorAsked> ask(Campaign campaign, String name, boolean turn, long nowMs) {
    CampaignCluster cluster = paced(campaign, name).orElse(null);
    ClusterLoad load = load(name).orElse(null);
    if (cluster == null
        || load == null
        || !atIntervals(cluster)
        || !turn && cluster.getWaiting() == 0
        || nowMs < cluster.getAskedMs() + INTERVAL_MS) {
      return Optional.empty();
    }
    Predictor predictor = predictor(cluster);
    Flow flow = predictor.flow(sight(cluster, load, waiting(name)));
    double level = predictor.memory().level();
    return Optional.of(new PredictorAsked(nowMs, campaign.getId(), name, level, flow.send()));
  }

  /** Tasks of a campaign that wait in excess at a cluster, those that were sent last first. */
  List<OpenTask> takenBack(Campaign campaign, String name, long nowMs) {
    List<OpenTask> late = late(campaign, name, nowMs);
    if (!late.isEmpty()) {
      return late.subList(0, Math.min(TAKEN_AT_ONCE, late.size()));
    }
    CampaignCluster cluster = paced(campaign, name).orElse(null);
    ClusterLoad load = load(name).orElse(null);
    if (cluster == null || load == null || cluster.getWaiting() <= cluster.getLeaving()) {
      return List.of();
    }
    if (atIntervals(cluster) && cluster.getAskedMs() != nowMs) {
      return List.of();
    }
    int excess = predictor(cluster).flow(sight(cluster, load, waiting(name))).takeBack();
    if (excess == 0) {
      return List.of();
    }
    List<OpenTask> tasks = waitingJobs(campaign, name, nowMs - FRESH_MS);
    return tasks.subList(0, Math.min(Math.min(TAKEN_AT_ONCE, excess), tasks.size()));
  }

  /** Tasks of a campaign that wait at a cluster which starts none, as many as go at one look. */
  List<OpenTask> stranded(Campaign campaign, String name, long nowMs) {
    List<OpenTask> tasks = waitingJobs(campaign, name, nowMs - FRESH_MS);
    return tasks.subList(0, Math.min(TAKEN_AT_ONCE, tasks.size()));
  }

  /** Tasks that wait at a cluster and whose time there is over, whatever a predictor says. */
  private List<OpenTask> late(Campaign campaign, String name, long nowMs) {
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElse(null);
    ClusterLoad load = state.load(name).orElse(null);
    if (cluster == null
        || load == null
        || JobStanding.of(cluster) == JobStanding.BEST_EFFORT
        || cluster.getWaiting() <= cluster.getLeaving()) {
      return List.of();
    }
    List<OpenTask> tasks = waitingJobs(campaign, name, nowMs);
    tasks.removeIf(it -> !JobStanding.comesBack(cluster, it, load, nowMs));
    return tasks;
  }

  /**
   * Tasks of a campaign whose jobs wait at a cluster to which they were sent by then, last first;
   * not those that somebody holds.
   */
  List<OpenTask> waitingJobs(Campaign campaign, String name, long sentByMs) {
    List<OpenTask> tasks = new ArrayList<>();
    state.open(
        campaign.getId(),
        task -> {
          if (task.getStatus() == TaskStatus.QUEUED
              && task.getCluster().equals(name)
              && task.getLead() < 0
              && !task.getLeaving()
              && !task.getHeld()
              && task.getSentMs() <= sentByMs) {
            tasks.add(task);
          }
        });
    tasks.sort(
        Comparator.comparingLong(OpenTask::getSentMs)
            .thenComparingInt(OpenTask::getTask)
            .reversed());
    return tasks;
  }
}
