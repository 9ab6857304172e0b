package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.memory.GoingTotals;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.campaigns.core.place.LastAttempts;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says in words where a task is, and why it is not sent. Changes nothing. What it reads may change
 * from one look to the next: what is not found any more is over.
 */
public final class TaskWhy {

  private static final long MS_PER_S = 1_000;

  private final Supplier<CampaignState> all;
  private final CampaignState state;

  public TaskWhy(CampaignTable table) {
    this(table, () -> new CampaignState(table));
  }

  /**
   * The same for one who has read all campaigns already.
   *
   * @param all knows which campaigns go on; asked only where others matter
   */
  public TaskWhy(CampaignTable table, Supplier<CampaignState> all) {
    this.all = all;
    this.state = CampaignState.ofOne(table);
  }

  /** Lines about a task, all of them; none when there is no such task. */
  public List<String> lines(long id, int task, long nowMs) {
    return lines(id, task, nowMs, true);
  }

  /**
   * Lines about a task; none when there is no such task.
   *
   * @param full with its parameters, which not everybody may see
   */
  public List<String> lines(long id, int task, long nowMs, boolean full) {
    Campaign campaign = state.campaign(id).orElse(null);
    if (campaign == null || task < 0 || task >= campaign.getTasks()) {
      return List.of();
    }
    TaskStatus status = TaskRanges.status(campaign.getRanges(), task);
    List<String> lines = new ArrayList<>();
    lines.add("Job: " + task);
    lines.add("  Campaign: " + id);
    if (full && campaign.getEndedMs() < 0) {
      state.knownParameters(campaign, task).ifPresent(it -> lines.add("  Parameters: " + it));
    }
    lines.add("  State: " + status.name().toLowerCase(Locale.ROOT));
    lines.add("  Why: " + words(campaign, task, status));
    if (status == TaskStatus.WAITING) {
      // Only here the other campaigns matter.
      TaskPacing pacing = new TaskPacing(all.get());
      TaskChoice choice = new TaskChoice(state);
      List<CampaignCluster> clusters = campaign.getClusters();
      // Of a test each task is for one cluster.
      for (CampaignCluster cluster :
          campaign.getTest() ? clusters.subList(task, task + 1) : clusters) {
        int affinity = choice.affinity(campaign, task, cluster);
        String how = affinity == 0 ? "" : "; affinity of the task " + affinity;
        lines.add(
            "    " + cluster.getName() + ": " + words(pacing, campaign, cluster, nowMs) + how);
      }
    }
    return lines;
  }

  private String words(Campaign campaign, int task, TaskStatus status) {
    Optional<OpenTask> open = state.open(campaign.getId(), task);
    String at = open.map(TaskWhy::place).orElse("");
    return switch (status) {
      case WAITING -> waiting(campaign, task, open);
      case POSTPONED -> postponed(campaign, open);
      case SENT -> "its job is on its way to " + at;
      case QUEUED ->
          (open.filter(OpenTask::getHeld).isPresent() ? "its job is held at " : "its job waits at ")
              + at
              + "; why "
              + open.map(OpenTask::getJobId).orElse("")
              + " says more";
      case RUNNING -> "its job runs at " + at + replica(campaign, task);
      case DONE -> "it is done" + was(campaign, task);
      case FAILED ->
          "it has failed" + was(campaign, task) + ", and its event was closed without another try";
      case CANCELLED ->
          (campaign.getCancelled() ? "it was deleted with its campaign" : "it was deleted")
              + was(campaign, task);
      case EVENT -> event(campaign, task);
    };
  }

  /** Where a task was that is over, if that is known. */
  private String was(Campaign campaign, int task) {
    String cluster = state.places(campaign).cluster(task);
    String at = cluster.isEmpty() ? "" : ", at " + cluster;
    return at + state.attempts(campaign).last(task).map(TaskWhy::words).orElse("");
  }

  private static String words(LastAttempts.KnownAttempt last) {
    String job = last.jobId().isEmpty() ? "" : ", as " + last.jobId();
    double ranS = last.runMs() / (double) MS_PER_S;
    String ran = ranS > 0 ? String.format(Locale.ROOT, ", in %.1f s", ranS) : "";
    return job + ", attempt " + last.attempt() + ran;
  }

  private static String place(OpenTask task) {
    String job = task.getJobId().isEmpty() ? "" : " as " + task.getJobId();
    String lead = task.getLead() < 0 ? "" : ", after task " + task.getLead() + " in one job";
    return task.getCluster() + job + lead + ", attempt " + task.getAttempt();
  }

  /** The second attempt at a task that runs. */
  private String replica(Campaign campaign, int task) {
    return state
        .second(campaign.getId(), task)
        .map(
            second -> {
              String where =
                  switch (second.getStatus()) {
                    case RUNNING -> "runs";
                    case QUEUED -> "waits";
                    default -> "is on its way";
                  };
              String what = second.getDropped() ? "a replica that is being ended" : "its replica";
              return "; " + what + " " + where + " at " + place(second);
            })
        .orElse("");
  }

  private static String waiting(Campaign campaign, int task, Optional<OpenTask> open) {
    int before = 0;
    for (TaskRange range : campaign.getRanges()) {
      if (range.getStatus() == TaskStatus.WAITING && range.getFirst() < task) {
        before += Math.min(range.getLast() + 1, task) - range.getFirst();
      }
    }
    String tried = open.map(TaskWhy::tried).orElse("");
    String others = before == 0 ? "it is the next of its campaign" : before + " are before it";
    return "it waits to be sent" + tried + "; " + others;
  }

  private static String tried(OpenTask task) {
    int wishes = task.getWishes();
    String wanted =
        wishes == 0 ? "" : ", of which " + wishes + " wanted another one (exit status 66 or 67)";
    return ", after " + tries(task.getAttempt()) + wanted;
  }

  private static String postponed(Campaign campaign, Optional<OpenTask> open) {
    int before = TaskRanges.count(campaign.getRanges(), it -> it == TaskStatus.WAITING);
    String tried = open.map(TaskWhy::tried).orElse("");
    return "its program wants another attempt at the end of the campaign"
        + tried
        + "; "
        + before
        + " are before it";
  }

  private static String tries(int attempts) {
    return attempts == 1 ? "1 attempt" : attempts + " attempts";
  }

  private String event(Campaign campaign, int task) {
    List<CampaignEvent> found = new ArrayList<>();
    state.events(
        campaign.getId(),
        event -> {
          if (event.getClosedMs() < 0 && event.getTask() == task) {
            found.add(event);
          }
          return found.isEmpty();
        });
    if (found.isEmpty()) {
      return "it has failed, and its event was closed just now";
    }
    CampaignEvent event = found.get(0);
    String what = event.getCode() + ", " + event.getMessage();
    String cure = EventCode.cure(event);
    return "it has failed, and event " + event.getId() + " is open (" + what + "): " + cure;
  }

  private String words(TaskPacing pacing, Campaign campaign, CampaignCluster cluster, long nowMs) {
    return switch (pacing.hindrance(campaign, cluster, nowMs)) {
      case PAUSED -> "the campaign is paused";
      case EVENTS ->
          campaign.getOpenEvents()
              + " events are open"
              + together(campaign.getOpenEvents() < GoingTotals.EVENTS_MAX)
              + "; nothing is sent until some are fixed";
      case PLACES ->
          "the campaign's tasks are in too many places"
              + together(campaign.getRanges().size() < GoingTotals.RANGES_MAX)
              + "; some must be over first";
      case BLACKLIST, STOP -> closed(state, cluster);
      case TYPE ->
          JobStanding.hindrance(cluster, state.load(cluster.getName()).orElseThrow(), nowMs);
      case REFUSED -> {
        long leftS = (cluster.getPausedUntilMs() - nowMs + MS_PER_S - 1) / MS_PER_S;
        String refused = cluster.getRefusals() > 0 ? "it refused: " : "";
        yield "left alone for " + leftS + " s more, since " + refused + cluster.getRefusal();
      }
      case STRESS -> ClusterStress.words(state.load(cluster.getName()).orElseThrow());
      case PROLOGUE ->
          ScriptDeciders.AT_CLUSTER.contains(cluster.getPrologue())
              ? "its prologue comes first, and is not over"
              : "its prologue has failed; gridevents says what mends it";
      case NONE -> room(pacing, campaign, cluster, nowMs);
    };
  }

  private static String together(boolean others) {
    return others ? ", with those of other campaigns" : "";
  }

  /** Of a cluster that an event keeps a campaign from, or all campaigns. */
  static String closed(CampaignState state, CampaignCluster cluster) {
    return cluster.getBlacklist() == 0
        ? state.stop(cluster.getName()).map(TaskWhy::stopped).orElse("blacklisted")
        : "blacklisted for this campaign, by event " + cluster.getBlacklist();
  }

  private static String stopped(ClusterStop stop) {
    return "blacklisted for all, by event " + stop.getBlacklist() + ": " + stop.getWhy();
  }

  private String room(TaskPacing pacing, Campaign campaign, CampaignCluster cluster, long nowMs) {
    String name = cluster.getName();
    PredictedRoom predicted = pacing.predicted();
    if (TaskPacing.isFull(cluster)) {
      int there = cluster.getWaiting() + cluster.getRunning();
      return there + " tasks are there, of at most " + cluster.getMost() + " (max_jobs)";
    }
    if (cluster.getHeld() >= TaskPacing.HELD_MAX) {
      return cluster.getHeld() + " of its jobs are held there; qrls lets them go";
    }
    Optional<Campaign> first = pacing.before(campaign, name, nowMs);
    if (first.isPresent()) {
      String why = pacing.turns().words(first.get(), campaign, name);
      return "its room goes to campaign " + first.get().getId() + " first" + why;
    }
    ClusterLoad load = state.load(name).orElse(null);
    if (load == null) {
      return "it was not looked at yet, which is done each second";
    }
    if (pacing.room(campaign, cluster) > 0) {
      return cluster.getPrologue() == TaskStatus.WAITING
          ? "it has room for its prologue, which comes first"
          : "it has room for the next tasks";
    }
    Optional<Long> againS = predicted.againS(cluster, nowMs);
    if (againS.isPresent()) {
      int waiting = predicted.waiting(name);
      boolean closed = PredictedRoom.predictor(cluster).closed(waiting);
      String said =
          closed
              ? cluster.getPredictor() + " closed: " + waiting + " tasks wait there"
              : "predictor " + PredictedRoom.words(cluster) + " allows no more now";
      return said + "; it is asked again in " + againS.get() + " s";
    }
    String idle =
        load.getIdle() < cluster.getProcessors()
            ? "no idle processor for it: "
            : "what is idle is for the tasks that wait there: ";
    return idle
        + load.getIdle()
        + " of "
        + load.getProcessors()
        + " idle, a task needs "
        + cluster.getProcessors()
        + ", "
        + cluster.getWaiting()
        + " of this campaign wait there";
  }
}
