package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.server.campaigns.core.pace.Hindrance;
import io.millrace.server.campaigns.core.standing.JobStanding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tasks wait at a cluster in vain: those that could run elsewhere now, those for which there
 * is room and which do not begin all the same, and those that were in others' way for long. The
 * cluster is left alone for a while then, longer each time. Jobs that somebody holds stay, and so
 * do those that stand in the order of an ordinary queue, which they would lose: they are counted no
 * longer as in the way of others.
 */
final class VainWaiting {

  /** What waits for less may begin at once. */
  static final long ELSEWHERE_MS = 10_000;

  /** What does not begin for so long where there is room asks for what no node has. */
  static final long UNFIT_MS = 60_000;

  /** So long a task may be in the way of other users' campaigns. */
  static final long LONG_MS = 30 * 60_000L;

  /** So often in a row jobs are taken back before the owner is told. */
  static final int ROUNDS = 3;

  private static final long PAUSE_MS = 10_000;

  /** Longer than predictors take until they are asked again: the others get the place. */
  private static final long OTHERS_MS = 60_000;

  private static final int DOUBLINGS_MAX = 6;
  private static final int TAKEN_AT_ONCE = 100;

  /** Between two looks through the tasks of a campaign, which may be many. */
  private static final long LOOK_MS = 5_000;

  private static final int REMEMBERED_MAX = 10_000;

  private final CampaignState state;
  private final TaskPacing pacing;

  /**
   * When a campaign's tasks at a cluster were gone through. It spares work and decides nothing: how
   * long a task has waited, and until when a cluster is left alone, are in the records. Another
   * process that knows nothing of it looks earlier, and finds the same tasks or none.
   */
  private final Map<String, Long> looked = new HashMap<>();

  VainWaiting(CampaignState state, TaskPacing pacing) {
    this.state = state;
    this.pacing = pacing;
  }

  /**
   * What is to be taken back.
   *
   * @param untilMs nothing more is sent there before
   * @param why in words
   * @param vain whether the tasks have not begun where they could have
   */
  record TakenBack(List<OpenTask> tasks, long untilMs, String why, boolean vain) {
    static final TakenBack NOTHING = new TakenBack(List.of(), 0, "", false);

    /** Nothing but that they are in nobody's way from now on. */
    boolean stay() {
      return untilMs < 0;
    }
  }

  /** What a campaign is to take back from a cluster that was looked at. */
  TakenBack of(Campaign campaign, String name, long nowMs) {
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElse(null);
    ClusterLoad load = state.load(name).orElse(null);
    if (cluster == null
        || load == null
        || campaign.getCancelled()
        || cluster.getWaiting() <= cluster.getLeaving() + cluster.getHeld()) {
      return TakenBack.NOTHING;
    }
    boolean givesWay = JobStanding.of(cluster) == JobStanding.BEST_EFFORT;
    boolean inTheWay = othersWait(campaign, name);
    boolean fits = (givesWay || inTheWay) && load.getIdle() >= cluster.getProcessors();
    int elsewhere = elsewhere(campaign, cluster, nowMs);
    if (!fits && !inTheWay && elsewhere == 0 || !isDue(campaign, name, nowMs)) {
      return TakenBack.NOTHING;
    }
    List<OpenTask> waiting = pacing.predicted().waitingJobs(campaign, name, nowMs);
    long sinceMs = fits ? nowMs - UNFIT_MS : inTheWay ? nowMs - LONG_MS : -1;
    List<OpenTask> vain = since(waiting, sinceMs, TAKEN_AT_ONCE);
    if (!givesWay && elsewhere == 0) {
      return new TakenBack(vain.stream().filter(it -> !it.getOverdue()).toList(), -1, "", false);
    }
    if (givesWay && !vain.isEmpty()) {
      long least = fits ? PAUSE_MS : OTHERS_MS;
      long pauseMs = Math.max(least, PAUSE_MS << Math.min(DOUBLINGS_MAX, cluster.getUnbegun()));
      return new TakenBack(vain, nowMs + pauseMs, words(vain, load, nowMs), true);
    }
    List<OpenTask> elsewhereNow = since(waiting, nowMs - ELSEWHERE_MS, elsewhere);
    return elsewhereNow.isEmpty()
        ? TakenBack.NOTHING
        : new TakenBack(
            elsewhereNow, nowMs + PAUSE_MS, "its tasks can begin on another cluster", false);
  }

  private static List<OpenTask> since(List<OpenTask> waiting, long ms, int most) {
    return waiting.stream()
        .filter(it -> Math.max(it.getSentMs(), it.getBeganMs()) <= ms)
        .limit(most)
        .toList();
  }

  private static String words(List<OpenTask> tasks, ClusterLoad load, long nowMs) {
    OpenTask one = tasks.get(tasks.size() - 1);
    long waitedS = (nowMs - one.getSentMs()) / 1_000;
    return "tasks did not begin there, one for "
        + waitedS
        + " s, with "
        + load.getIdle()
        + " of "
        + load.getProcessors()
        + " processors idle; why "
        + one.getJobId()
        + " may say more";
  }

  private boolean othersWait(Campaign campaign, String name) {
    return state.naming(name).stream()
        .anyMatch(it -> !it.getOwner().equals(campaign.getOwner()) && TaskPacing.waits(it));
  }

  /** How many tasks of a campaign, of which none is left in the bag, other clusters could begin. */
  private int elsewhere(Campaign campaign, CampaignCluster cluster, long nowMs) {
    if (campaign.getTest() || TaskPacing.waits(campaign)) {
      return 0;
    }
    int all = 0;
    for (CampaignCluster other : campaign.getClusters()) {
      String name = other.getName();
      boolean open =
          other != cluster
              && !TaskPacing.isFull(other)
              && pacing.hindrance(campaign, other, nowMs) == Hindrance.NONE
              && pacing.wanting(name, nowMs).isEmpty();
      if (open) {
        int fit = pacing.predicted().spare(name) / other.getProcessors();
        all += Math.min(pacing.room(campaign, other), fit);
      }
    }
    return Math.min(all, TAKEN_AT_ONCE);
  }

  private boolean isDue(Campaign campaign, String name, long nowMs) {
    String key = campaign.getId() + " " + name;
    Long before = looked.get(key);
    if (before != null && nowMs < before + LOOK_MS && nowMs >= before) {
      return false;
    }
    if (looked.size() >= REMEMBERED_MAX) {
      looked.clear();
    }
    looked.put(key, nowMs);
    return true;
  }
}
