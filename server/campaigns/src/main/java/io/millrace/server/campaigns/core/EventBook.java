package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.ClusterAffinity;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.server.campaigns.core.task.TaskAffinities;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes the facts by which events are opened and closed; decides when a cluster is blacklisted. */
final class EventBook {

  /** So many tasks of a campaign that fail on a cluster, none of them done between, stop it. */
  static final int FAILED_IN_A_ROW = 5;

  /** Who closes events that end by themselves. */
  static final String ITSELF = "";

  /** Characters of an event's message, of which there may be very many. */
  static final int MESSAGE_MAX = 500;

  private static final long NO_CAMPAIGN = 0;

  private static final int NO_TASK = -1;

  private final CampaignState state;

  EventBook(CampaignState state) {
    this.state = state;
  }

  private static CampaignEvent event(long campaign, String cluster, EventCode code, String why) {
    CampaignEvent event = new CampaignEvent();
    event.setCode(code.name());
    event.setCampaign(campaign);
    event.setTask(NO_TASK);
    event.setJobId("");
    event.setCluster(cluster);
    event.setMessage(why.length() > MESSAGE_MAX ? why.substring(0, MESSAGE_MAX) + "..." : why);
    event.setClosedMs(-1L);
    event.setClosedBy("");
    event.setAffinities(List.of());
    return event;
  }

  private long open(CampaignEvent event, long nowMs, CampaignOutcome outcome) {
    return open(event, event, nowMs, outcome);
  }

  /**
   * @param cause whose severity it has
   */
  private long open(CampaignEvent event, CampaignEvent cause, long nowMs, CampaignOutcome outcome) {
    long opened = outcome.facts().stream().filter(EventOpened.class::isInstance).count();
    event.setId(state.nextEvent() + opened);
    event.setOpenedMs(nowMs);
    String owner = state.owner(event.getCampaign());
    NoticeSeverity severity = EventCode.valueOf(cause.getCode()).severity();
    outcome.fact(new EventOpened(nowMs, event, owner, severity));
    return event.getId();
  }

  /**
   * @param why says that it ends with its cause only; otherwise empty
   */
  private void blacklist(CampaignEvent because, String why, long nowMs, CampaignOutcome outcome) {
    CampaignEvent event =
        event(because.getCampaign(), because.getCluster(), EventCode.BLACKLIST, why);
    event.setBecause(because.getId());
    open(event, because, nowMs, outcome);
  }

  /** An attempt has failed, and its task waits for what its owner says. */
  void failed(
      Campaign campaign,
      CampaignCluster cluster,
      AttemptEnded ended,
      EventCode code,
      CampaignOutcome outcome) {
    String why = code == EventCode.EXIT_ERROR ? "exit status " + ended.getExitStatus() : "";
    why += !why.isEmpty() && !ended.getWhy().isEmpty() ? ": " : "";
    CampaignEvent event = event(campaign.getId(), cluster.getName(), code, why + ended.getWhy());
    event.setTask(ended.getTask());
    event.setAttempt(ended.getAttempt());
    OpenTask task = state.open(campaign.getId(), ended.getTask()).orElse(null);
    event.setNewest(task == null ? 0 : task.getNewest());
    List<ClusterAffinity> before = task == null ? List.of() : task.getAffinities();
    // One that no cluster takes has not failed on this one.
    event.setAffinities(
        code == EventCode.TASK_REFUSED
            ? before
            : TaskAffinities.lowered(before, cluster.getName()));
    event.setJobId(ended.getJobId());
    outcome.fact(ended);
    open(event, ended.getAtMs(), outcome);
    if (cluster.getBlacklist() == 0 && cluster.getFailedInARow() + 1 >= FAILED_IN_A_ROW) {
      blacklist(event, "", ended.getAtMs(), outcome);
    }
  }

  /** A script has failed: without its prologue no task can run on a cluster. */
  void scriptFailed(
      Campaign campaign, CampaignCluster cluster, ScriptMoved ended, CampaignOutcome outcome) {
    boolean after = ended.getAfter();
    EventCode code = after ? EventCode.EPILOGUE_ERROR : EventCode.PROLOGUE_ERROR;
    String why = ended.getExitStatus() == 0 ? "" : "exit status " + ended.getExitStatus();
    why += !why.isEmpty() && !ended.getWhy().isEmpty() ? ": " : "";
    CampaignEvent event = event(campaign.getId(), cluster.getName(), code, why + ended.getWhy());
    event.setAttempt(ended.getAttempt());
    event.setJobId(ended.getJobId());
    outcome.fact(ended);
    open(event, ended.getAtMs(), outcome);
    if (!after && cluster.getBlacklist() == 0) {
      blacklist(event, "its prologue has failed", ended.getAtMs(), outcome);
    }
  }

  /** A cluster does not take a campaign's tasks just now. */
  void refused(
      Campaign campaign, CampaignCluster cluster, String why, long nowMs, CampaignOutcome outcome) {
    if (cluster.getTrouble() == 0) {
      open(event(campaign.getId(), cluster.getName(), EventCode.SUBMIT_ERROR, why), nowMs, outcome);
    }
  }

  /** A cluster has taken a task. */
  void taken(Campaign campaign, CampaignCluster cluster, long nowMs, CampaignOutcome outcome) {
    if (cluster.getTrouble() != 0) {
      List<Long> ids = List.of(cluster.getTrouble());
      outcome.fact(closed(campaign, ids, nowMs));
    }
  }

  /** Jobs of a campaign do not begin on a cluster, again and again. */
  void vain(
      Campaign campaign, CampaignCluster cluster, String why, long nowMs, CampaignOutcome outcome) {
    if (cluster.getVain() == 0) {
      open(event(campaign.getId(), cluster.getName(), EventCode.NOT_BEGUN, why), nowMs, outcome);
    }
  }

  /** One of them has begun. */
  void begun(Campaign campaign, CampaignCluster cluster, long nowMs, CampaignOutcome outcome) {
    if (cluster.getVain() != 0) {
      List<Long> ids = List.of(cluster.getVain());
      outcome.fact(closed(campaign, ids, nowMs));
    }
  }

  /**
   * What was seen of a cluster keeps jobs of all campaigns from running there, or does so no more.
   *
   * @param code empty when nothing does
   */
  void seen(String cluster, String code, String why, long nowMs, CampaignOutcome outcome) {
    ClusterStop stop = state.stop(cluster).orElse(null);
    if (stop != null && byHand(stop)) {
      return;
    }
    if (stop != null && !stop.getCode().equals(code)) {
      outcome.fact(freed(stop, nowMs));
    }
    boolean fresh = stop == null || !stop.getCode().equals(code);
    if (!code.isEmpty() && fresh && state.wanted(cluster)) {
      CampaignEvent event = event(NO_CAMPAIGN, cluster, EventCode.valueOf(code), why);
      open(event, nowMs, outcome);
      blacklist(event, "", nowMs, outcome);
    }
  }

  /** Whether somebody has stopped a cluster, and only he starts it again. */
  static boolean byHand(ClusterStop stop) {
    return stop.getCode().equals(EventCode.CLUSTER_STOPPED.name());
  }

  /** Somebody stops a cluster for all campaigns. */
  void stopped(String cluster, String why, long nowMs, CampaignOutcome outcome) {
    state.stop(cluster).ifPresent(before -> outcome.fact(freed(before, nowMs)));
    CampaignEvent event = event(NO_CAMPAIGN, cluster, EventCode.CLUSTER_STOPPED, why);
    open(event, nowMs, outcome);
    blacklist(event, "", nowMs, outcome);
  }

  /**
   * Another queue of the night was seen than before: that of some campaigns is gone, or is there
   * again. Without it their jobs are best effort by night, too.
   */
  void nightSeen(ClusterLoad before, ClusterLoad now, long nowMs, CampaignOutcome outcome) {
    if (before.getNightQueue().equals(now.getNightQueue())) {
      return;
    }
    for (Campaign campaign : state.naming(now.getName())) {
      CampaignCluster cluster = CampaignState.cluster(campaign, now.getName()).orElseThrow();
      String own = cluster.getNight() == null ? "" : cluster.getNight().getName();
      if (own.isEmpty() || campaign.getCancelled()) {
        continue;
      }
      if (now.getNightQueue().equals(own)) {
        nightIsBack(campaign, cluster, nowMs, outcome);
      } else if (before.getNightQueue().equals(own)) {
        String why = "queue " + own + " is no night_queue of " + cluster.getName() + " any more";
        EventCode code = EventCode.NIGHT_QUEUE_LOST;
        open(event(campaign.getId(), cluster.getName(), code, why), nowMs, outcome);
      }
    }
  }

  private void nightIsBack(
      Campaign campaign, CampaignCluster cluster, long nowMs, CampaignOutcome outcome) {
    List<Long> ids = new ArrayList<>();
    state.events(
        campaign.getId(),
        event -> {
          boolean lost = event.getCode().equals(EventCode.NIGHT_QUEUE_LOST.name());
          if (lost && event.getClosedMs() < 0 && event.getCluster().equals(cluster.getName())) {
            ids.add(event.getId());
          }
          return true;
        });
    if (!ids.isEmpty()) {
      outcome.fact(closed(campaign, ids, nowMs));
    }
  }

  /** Events of a campaign that end by themselves. */
  static EventsClosed closed(Campaign campaign, List<Long> ids, long nowMs) {
    return new EventsClosed(nowMs, campaign.getId(), ids, ITSELF, false, campaign.getOwner());
  }

  /** Whether an event is one of the two of what keeps all campaigns from a cluster. */
  static boolean names(ClusterStop stop, CampaignEvent event) {
    return stop.getCause() == event.getId() || stop.getBlacklist() == event.getId();
  }

  /** The end of what keeps all campaigns from a cluster. */
  static EventsClosed freed(ClusterStop stop, long nowMs) {
    List<Long> ids = List.of(stop.getCause(), stop.getBlacklist());
    return new EventsClosed(nowMs, NO_CAMPAIGN, ids, ITSELF, false, "");
  }

  /** The first open events of a campaign, of those before one. */
  List<Long> open(long campaign, long before, int most) {
    List<Long> open = new ArrayList<>();
    state.events(
        campaign,
        event -> {
          if (event.getId() < before && event.getClosedMs() < 0) {
            open.add(event.getId());
          }
          return event.getId() < before && open.size() < most;
        });
    return open;
  }

  /** An open event, and those that are there because of it. */
  List<Long> withFollowing(CampaignEvent event) {
    Set<Long> causes = new HashSet<>(List.of(event.getId()));
    List<Long> ids = new ArrayList<>(causes);
    state.events(
        event.getCampaign(),
        it -> {
          if (it.getClosedMs() < 0 && causes.contains(it.getBecause())) {
            ids.add(it.getId());
          }
          return true;
        });
    return ids;
  }
}
