package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.CommandId;
import io.millrace.server.campaigns.core.pace.Hindrance;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.task.TaskLoss;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides about prologues and epilogues. A cluster's room is its prologue's until that is done; an
 * epilogue is sent when all tasks of the campaign are over and none is at the cluster any more.
 */
final class ScriptDeciders {

  /** Its job was sent and is not over. */
  static final Set<TaskStatus> AT_CLUSTER =
      EnumSet.of(TaskStatus.SENT, TaskStatus.QUEUED, TaskStatus.RUNNING);

  /** Nothing more comes of it. */
  private static final Set<TaskStatus> OVER =
      EnumSet.of(TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.CANCELLED);

  /** What its owner has to know of when it keeps an epilogue away for long. */
  private static final Set<Hindrance> LONG = EnumSet.of(Hindrance.BLACKLIST, Hindrance.STOP);

  /** So long an epilogue that is due waits for a cluster that is closed to it. */
  static final long HINDERED_MS = 60L * 60 * 1_000;

  /** What the job of a script has in its record. */
  record Tag(long campaign, boolean after, int cluster, int attempt) {

    private static final Pattern TEXT =
        Pattern.compile("(\\d{1,18})\\.([pe])(\\d{1,4})\\.(\\d{1,9})");

    static Optional<Tag> parse(String text) {
      Matcher parts = TEXT.matcher(text);
      return parts.matches()
          ? Optional.of(
              new Tag(
                  Long.parseLong(parts.group(1)),
                  parts.group(2).equals("e"),
                  Integer.parseInt(parts.group(3)),
                  Integer.parseInt(parts.group(4))))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return campaign + "." + (after ? "e" : "p") + cluster + "." + attempt;
    }
  }

  private final CampaignState state;
  private final EventBook book;

  ScriptDeciders(CampaignState state, EventBook book) {
    this.state = state;
    this.book = book;
  }

  static TaskStatus status(CampaignCluster cluster, boolean after) {
    return after ? cluster.getEpilogue() : cluster.getPrologue();
  }

  /** The script is as it was, but for its status. */
  static ScriptMoved moved(
      Campaign campaign, CampaignScript script, TaskStatus status, long nowMs) {
    return new ScriptMoved(
        nowMs,
        campaign.getId(),
        script.getCluster(),
        script.getAfter(),
        status,
        script.getAttempt(),
        script.getCommand(),
        script.getJobId(),
        script.getShard(),
        script.getKilled(),
        script.getKillings(),
        0,
        "");
  }

  /** The command with a script's job, and its fact, which has to be applied. */
  static TaskPacing.Sending send(
      CampaignState state, Campaign campaign, CampaignCluster cluster, boolean after, long nowMs) {
    int index = campaign.getClusters().indexOf(cluster);
    CampaignScript script = state.script(campaign.getId(), index, after).orElseThrow();
    Tag tag = new Tag(campaign.getId(), after, index, script.getAttempt() + 1);
    CommandId id = TaskJobs.id(nowMs, tag);
    ScriptMoved sent = moved(campaign, script, TaskStatus.SENT, nowMs);
    sent.setAttempt(tag.attempt());
    sent.setCommand(id);
    sent.setJobId("");
    sent.setKilled(false);
    return new TaskPacing.Sending(
        sent, cluster.getShard(), TaskJobs.submit(campaign, cluster, script, tag, id));
  }

  /** Whether a campaign all of whose tasks are over has to go on for its scripts. */
  static boolean isLeft(Campaign campaign) {
    return campaign.getClusters().stream()
        .anyMatch(it -> AT_CLUSTER.contains(it.getPrologue()) || isOwed(it));
  }

  /** Whether an epilogue has to come there yet. */
  static boolean isOwed(CampaignCluster cluster) {
    return cluster.getUsed() && !OVER.contains(cluster.getEpilogue());
  }

  static boolean isOver(TaskStatus script) {
    return OVER.contains(script);
  }

  /** Whether a script was sent and is not over, or its event is open. */
  static boolean isUnderWay(TaskStatus script) {
    return AT_CLUSTER.contains(script) || script == TaskStatus.EVENT;
  }

  /** Whether nothing more comes of any task. */
  static boolean tasksOver(Campaign campaign) {
    return campaign.getRanges().stream().allMatch(it -> OVER.contains(it.getStatus()));
  }

  /** Whether a script is at a cluster. */
  static boolean isAtCluster(CampaignCluster cluster) {
    return AT_CLUSTER.contains(cluster.getPrologue()) || AT_CLUSTER.contains(cluster.getEpilogue());
  }

  /** Whether the time of an epilogue has come, when all tasks are over. */
  private static boolean isDue(CampaignCluster cluster) {
    return cluster.getUsed()
        && cluster.getEpilogue() == TaskStatus.WAITING
        && cluster.getWaiting() + cluster.getRunning() == 0;
  }

  /** The next epilogue of some campaigns whose time has come. */
  Optional<TaskPacing.Sending> epilogue(List<Campaign> campaigns, TaskPacing pacing, long nowMs) {
    for (Campaign campaign : campaigns) {
      if (campaign.getCancelled() || !isLeft(campaign) || !tasksOver(campaign)) {
        continue;
      }
      for (CampaignCluster cluster : campaign.getClusters()) {
        if (isDue(cluster) && pacing.ofEpilogue(campaign, cluster, nowMs) == Hindrance.NONE) {
          return Optional.of(send(state, campaign, cluster, true, nowMs));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Takes back the scripts that wait for room and whose time is over: the prologue that no task
   * would follow any more, and what would begin by day and is for the night.
   */
  CampaignOutcome takenBack(Campaign campaign, long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    if (campaign.getCancelled()) {
      return outcome;
    }
    List<CampaignCluster> clusters = campaign.getClusters();
    for (int index = 0; index < clusters.size(); index++) {
      for (boolean after : List.of(false, true)) {
        CampaignCluster cluster = clusters.get(index);
        if (status(cluster, after) == TaskStatus.QUEUED
            && (!after && tasksOver(campaign) || isLate(cluster, nowMs))) {
          takeBack(
              campaign, state.script(campaign.getId(), index, after).orElseThrow(), nowMs, outcome);
        }
      }
    }
    return outcome;
  }

  private boolean isLate(CampaignCluster cluster, long nowMs) {
    return state
        .load(cluster.getName())
        .filter(it -> JobStanding.isLate(cluster, it, nowMs))
        .isPresent();
  }

  private static void takeBack(
      Campaign campaign, CampaignScript script, long nowMs, CampaignOutcome outcome) {
    if (!script.getKilled()) {
      ScriptMoved moved = moved(campaign, script, TaskStatus.QUEUED, nowMs);
      moved.setKilled(true);
      outcome.order(moved.getShard(), TaskJobs.takeBack(campaign, moved, nowMs));
      outcome.fact(moved);
    }
  }

  /**
   * Since when epilogues that are due cannot be sent. After an hour it is an event: the campaign
   * would wait for ever, and its owner has to know for what.
   */
  CampaignOutcome hindered(Campaign campaign, TaskPacing pacing, long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    if (campaign.getCancelled() || !isLeft(campaign) || !tasksOver(campaign)) {
      return outcome;
    }
    for (CampaignCluster cluster : campaign.getClusters()) {
      Hindrance hindrance = pacing.ofEpilogue(campaign, cluster, nowMs);
      if (!isDue(cluster) || !LONG.contains(hindrance)) {
        continue;
      }
      int index = campaign.getClusters().indexOf(cluster);
      CampaignScript script = state.script(campaign.getId(), index, true).orElseThrow();
      ScriptMoved moved = moved(campaign, script, TaskStatus.WAITING, nowMs);
      moved.setWhy("its cluster is " + TaskWhy.closed(state, cluster));
      if (cluster.getHinderedMs() == 0) {
        outcome.fact(moved);
      } else if (cluster.getHinderedMs() <= nowMs - HINDERED_MS) {
        moved.setStatus(TaskStatus.EVENT);
        book.scriptFailed(campaign, cluster, moved, outcome);
      }
    }
    return outcome;
  }

  /**
   * Decides a report about the job of a script.
   *
   * @return whether it is one
   */
  boolean decide(NoteJob note, long nowMs, CampaignOutcome outcome) {
    Tag tag = Tag.parse(note.getTag()).orElse(null);
    if (tag == null) {
      return false;
    }
    Campaign campaign = state.campaign(tag.campaign()).orElse(null);
    CampaignScript script = state.script(tag.campaign(), tag.cluster(), tag.after()).orElse(null);
    if (campaign == null || script == null || script.getAttempt() != tag.attempt()) {
      return true;
    }
    CampaignCluster cluster = campaign.getClusters().get(tag.cluster());
    TaskStatus before = status(cluster, tag.after());
    if (AT_CLUSTER.contains(before)) {
      if (before == TaskStatus.SENT) {
        book.taken(campaign, cluster, nowMs, outcome);
      }
      ScriptMoved moved = moved(campaign, script, before, nowMs);
      moved.setJobId(note.getJobId());
      moved.setShard(note.getShard());
      decide(campaign, cluster, note, moved, outcome);
    }
    return true;
  }

  private void decide(
      Campaign campaign,
      CampaignCluster cluster,
      NoteJob note,
      ScriptMoved moved,
      CampaignOutcome outcome) {
    switch (note.getChange()) {
      case QUEUED -> {
        moved.setStatus(TaskStatus.QUEUED);
        if (campaign.getCancelled()) {
          outcome.order(moved.getShard(), TaskJobs.delete(campaign, moved, moved.getAtMs()));
        }
      }
      case STARTED -> {
        moved.setStatus(TaskStatus.RUNNING);
        moved.setKilled(false); // it began before it could be taken back
      }
      case KILLED, PREEMPTED -> moved.setKilled(true);
      case HELD, RELEASED -> {
        return; // it waits, as it did
      }
      case FINISHED, DELETED -> {
        over(campaign, note, moved);
        if (moved.getStatus() == TaskStatus.EVENT) {
          book.scriptFailed(campaign, cluster, moved, outcome);
          return;
        }
      }
      default -> throw new IllegalArgumentException("no change: " + note.getChange());
    }
    outcome.fact(moved);
  }

  private static void over(Campaign campaign, NoteJob note, ScriptMoved moved) {
    boolean finished = note.getChange() == JobChange.FINISHED;
    moved.setExitStatus(note.getExitStatus());
    moved.setWhy(note.getWhy());
    if (finished && note.getExitStatus() == 0) {
      moved.setStatus(TaskStatus.DONE);
      return;
    }
    boolean tookBack = !finished && moved.getStatus() == TaskStatus.QUEUED && moved.getKilled();
    // As with a task: one that the server deleted by itself would be deleted again and again.
    boolean lost = TaskLoss.lost(note);
    boolean again = finished ? moved.getKilled() || lost : note.getWhy().isEmpty();
    if (!tookBack) {
      moved.setKillings(moved.getKillings() + 1);
    }
    boolean more = moved.getKillings() < CampaignDeciders.KILLINGS_MAX;
    moved.setStatus(
        campaign.getCancelled()
            ? TaskStatus.CANCELLED
            : again && more ? TaskStatus.WAITING : TaskStatus.EVENT);
  }

  /** Ends those of a deleted campaign; jobs that nobody knows yet are deleted when known. */
  void cancel(Campaign campaign, long nowMs, CampaignOutcome outcome) {
    for (CampaignCluster cluster : campaign.getClusters()) {
      for (boolean after : List.of(false, true)) {
        if (AT_CLUSTER.contains(status(cluster, after))) {
          int index = campaign.getClusters().indexOf(cluster);
          CampaignScript script = state.script(campaign.getId(), index, after).orElseThrow();
          if (!script.getJobId().isEmpty()) {
            ScriptMoved here = moved(campaign, script, status(cluster, after), nowMs);
            outcome.order(script.getShard(), TaskJobs.delete(campaign, here, nowMs));
          }
        }
      }
    }
  }
}
