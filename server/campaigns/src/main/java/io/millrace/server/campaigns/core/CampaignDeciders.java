package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignAltered;
import io.millrace.schemas.campaign.CampaignCancelled;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignSwept;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.ClusterSeen;
import io.millrace.schemas.campaign.ContinueCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.group.GroupedNotes;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.campaigns.core.task.ExitWish;
import io.millrace.server.campaigns.core.task.TaskLoss;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides what came in; changes nothing. */
final class CampaignDeciders {

  /** A task that was killed so often has failed; so has one that wanted so many attempts. */
  static final int KILLINGS_MAX = 100;

  /**
   * In so many places tasks may be put off: each is a part of the campaign's record, which every
   * fact about the campaign writes.
   */
  static final int POSTPONED_RANGES_MAX = 2_000;

  /** Tasks of a deleted campaign that are told to end in one transaction. */
  static final int SWEPT_AT_ONCE = 500;

  private final CampaignState state;
  private final EventBook book;
  private final ReplicaDeciders replicas;
  private final ScriptDeciders scripts;

  CampaignDeciders(CampaignState state, EventBook book, ScriptDeciders scripts) {
    this.scripts = scripts;
    this.state = state;
    this.book = book;
    this.replicas = new ReplicaDeciders(state);
  }

  private static void answer(CampaignOutcome outcome, CommandMeta meta, String line) {
    outcome.answer(new Reply(meta.getId(), 0, List.of(line), false));
  }

  private static void refuse(
      CampaignOutcome outcome, CommandMeta meta, PbsError error, String line) {
    outcome.answer(new Reply(meta.getId(), error.code(), List.of(line), false));
  }

  void decide(DeleteCampaign command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Campaign campaign = allowed(meta, command.getId(), outcome).orElse(null);
    if (campaign == null) {
      return;
    }
    if (goesOn(campaign)) {
      outcome.fact(
          new CampaignCancelled(nowMs, campaign.getId(), meta.getPrincipal(), campaign.getOwner()));
      outcome.more(new ContinueCampaign(campaign.getId()));
    }
    answer(outcome, meta, "");
  }

  void decide(AlterCampaign command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Campaign campaign = allowed(meta, command.getId(), outcome).orElse(null);
    if (campaign == null) {
      return;
    }
    String name = command.getName() == null ? campaign.getName() : command.getName();
    boolean was = campaign.getPausedMs() >= 0;
    boolean paused = command.getPaused() == null ? was : command.getPaused();
    if (paused != was && !goesOn(campaign)) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, "campaign " + campaign.getId() + " is over");
      return;
    }
    if (paused != was || !name.equals(campaign.getName())) {
      long sinceMs = !paused ? -1 : was ? campaign.getPausedMs() : nowMs;
      outcome.fact(
          new CampaignAltered(
              nowMs, campaign.getId(), name, sinceMs, meta.getPrincipal(), campaign.getOwner()));
    }
    answer(outcome, meta, "");
  }

  private static boolean goesOn(Campaign campaign) {
    return !campaign.getCancelled() && campaign.getEndedMs() < 0;
  }

  /** The campaign, if there is one and the caller may change it; otherwise he is told why not. */
  private Optional<Campaign> allowed(CommandMeta meta, long id, CampaignOutcome outcome) {
    Optional<Campaign> campaign = state.campaign(id);
    boolean operator = meta.getRole() == Role.MANAGER || meta.getRole() == Role.OPERATOR;
    if (campaign.isEmpty()) {
      refuse(outcome, meta, PbsError.UNKNOWN_JOB, "there is no campaign " + id);
    } else if (!operator && !campaign.get().getOwner().equals(meta.getPrincipal())) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, "campaign " + id + " is not yours");
      return Optional.empty();
    }
    return campaign;
  }

  /** The next tasks of a cancelled campaign; jobs that nobody knows yet are deleted when known. */
  void decide(ContinueCampaign message, long nowMs, CampaignOutcome outcome) {
    Campaign campaign = state.campaign(message.getId()).orElse(null);
    if (campaign == null
        || !campaign.getCancelled()
        || campaign.getSwept() >= campaign.getTasks()) {
      return;
    }
    List<OpenTask> tasks = state.open(campaign.getId(), campaign.getSwept(), SWEPT_AT_ONCE);
    for (OpenTask task : tasks) {
      if (task.getStatus() == TaskStatus.WAITING) {
        outcome.fact(ended(task, TaskStatus.CANCELLED, nowMs));
      } else {
        ReplicaDeciders.end(campaign, task, nowMs, outcome);
      }
      state
          .second(task.getCampaign(), task.getTask())
          .filter(it -> !it.getDropped())
          .ifPresent(it -> ReplicaDeciders.end(campaign, it, nowMs, outcome));
    }
    boolean more = tasks.size() == SWEPT_AT_ONCE;
    int next = more ? tasks.get(tasks.size() - 1).getTask() + 1 : campaign.getTasks();
    outcome.fact(new CampaignSwept(nowMs, campaign.getId(), next));
    if (more) {
      outcome.more(message);
    } else {
      scripts.cancel(campaign, nowMs, outcome);
    }
  }

  static AttemptEnded ended(OpenTask task, TaskStatus status, long nowMs) {
    return new AttemptEnded(
        nowMs,
        task.getCampaign(),
        task.getTask(),
        task.getAttempt(),
        status,
        task.getJobId(),
        0,
        0L,
        "",
        false);
  }

  /** The reports about the tasks of a job, of which there is one in most cases. */
  List<NoteJob> each(NoteJob note) {
    TaskTag tag = TaskTag.parse(note.getTag()).orElse(null);
    OpenTask lead = tag == null ? null : state.open(tag.campaign(), tag.task()).orElse(null);
    if (lead == null || lead.getAttempt() != tag.attempt() || lead.getFollowers().isEmpty()) {
      return List.of(note);
    }
    List<OpenTask> tasks = new ArrayList<>(List.of(lead));
    for (int follower : lead.getFollowers()) {
      tasks.add(state.open(tag.campaign(), follower).orElseThrow());
    }
    return GroupedNotes.of(note, tasks);
  }

  void decide(NoteCluster note, long nowMs, CampaignOutcome outcome) {
    String name = note.getLoad().getName();
    Optional<ClusterLoad> before = state.load(name);
    ClusterLoad seen = ClusterStress.withTaken(note.getLoad(), before);
    if (!before.equals(Optional.of(seen))) {
      outcome.fact(new ClusterSeen(nowMs, seen));
    }
    book.seen(name, note.getCode(), note.getWhy(), nowMs, outcome);
    before.ifPresent(it -> book.nightSeen(it, note.getLoad(), nowMs, outcome));
  }

  /** A report about another attempt than the present one is about what is over. */
  void decide(NoteJob note, long nowMs, CampaignOutcome outcome) {
    if (scripts.decide(note, nowMs, outcome)) {
      return;
    }
    TaskTag tag = TaskTag.parse(note.getTag()).orElse(null);
    OpenTask second =
        tag == null ? null : state.second(tag.campaign(), tag.task(), tag.attempt()).orElse(null);
    if (second != null) {
      Campaign campaign = state.campaign(tag.campaign()).orElseThrow();
      taken(campaign, second, nowMs, outcome);
      replicas.decide(campaign, second, note, nowMs, outcome);
      return;
    }
    OpenTask task = tag == null ? null : state.open(tag.campaign(), tag.task()).orElse(null);
    if (task == null
        || task.getAttempt() != tag.attempt()
        || task.getStatus() == TaskStatus.WAITING) {
      return;
    }
    Campaign campaign = state.campaign(tag.campaign()).orElseThrow();
    taken(campaign, task, nowMs, outcome);
    if (note.getChange() == JobChange.FINISHED || note.getChange() == JobChange.DELETED) {
      over(campaign, task, note, nowMs, outcome);
      return;
    }
    OpenTask moved = moved(task, note, nowMs);
    if (note.getChange() == JobChange.STARTED) {
      CampaignCluster cluster = CampaignState.cluster(campaign, task.getCluster()).orElseThrow();
      book.begun(campaign, cluster, nowMs, outcome);
    }
    boolean unwanted = campaign.getCancelled() || isDeleted(task);
    if (note.getChange() == JobChange.QUEUED && unwanted) {
      ReplicaDeciders.end(campaign, moved, nowMs, outcome);
    }
    outcome.fact(new TaskMoved(nowMs, moved));
  }

  /** Whether a task or one after it in its job was deleted, perhaps while nobody knew the job. */
  private boolean isDeleted(OpenTask task) {
    return task.getDeleted()
        || task.getFollowers().stream()
            .anyMatch(it -> state.open(task.getCampaign(), it).orElseThrow().getDeleted());
  }

  private void taken(Campaign campaign, OpenTask task, long nowMs, CampaignOutcome outcome) {
    if (task.getStatus() == TaskStatus.SENT) {
      CampaignCluster cluster = CampaignState.cluster(campaign, task.getCluster()).orElseThrow();
      book.taken(campaign, cluster, nowMs, outcome);
    }
  }

  /** An attempt whose job is not over. */
  static OpenTask moved(OpenTask task, NoteJob note, long nowMs) {
    OpenTask moved = OpenTask.newBuilder(task).build();
    moved.setJobId(note.getJobId());
    moved.setShard(note.getShard());
    switch (note.getChange()) {
      case QUEUED -> {
        moved.setStatus(TaskStatus.QUEUED);
        moved.setLeaving(false); // a start that failed came before its deletion
      }
      case STARTED -> {
        moved.setStatus(TaskStatus.RUNNING);
        moved.setLeaving(false);
        moved.setBeganMs(nowMs);
        moved.setHeld(false);
      }
      case KILLED -> moved.setKilled(true);
      case PREEMPTED -> {
        moved.setKilled(true);
        moved.setGaveWay(true);
      }
      case HELD, RELEASED -> moved.setHeld(note.getChange() == JobChange.HELD);
      default -> throw new IllegalArgumentException("no change: " + note.getChange());
    }
    return moved;
  }

  private void over(
      Campaign campaign, OpenTask task, NoteJob note, long nowMs, CampaignOutcome outcome) {
    AttemptEnded ended = ended(task, status(campaign, task, note), nowMs);
    ended.setJobId(note.getJobId());
    ended.setExitStatus(note.getExitStatus());
    ended.setRunMs(note.getRunMs());
    ended.setWhy(note.getWhy());
    ended.setUnbegun(note.getUnbegun());
    if (replicas.goesOn(campaign, ended, task, nowMs, outcome)) {
      return;
    }
    if (ended.getStatus() != TaskStatus.EVENT) {
      outcome.fact(ended);
      return;
    }
    EventCode code = EventCode.EXIT_ERROR;
    if (ExitWish.of(note).isPresent()) {
      ended.setWhy("it wanted another attempt " + KILLINGS_MAX + " times");
    } else if (note.getChange() == JobChange.DELETED && !note.getWhy().isEmpty()) {
      code = EventCode.DELETED;
    } else if (note.getChange() == JobChange.DELETED
        || wasKilled(task, note)
        || TaskLoss.lost(note)) {
      code = EventCode.KILLED;
      ended.setWhy("its jobs were deleted or lost " + KILLINGS_MAX + " times");
    }
    CampaignCluster cluster = CampaignState.cluster(campaign, task.getCluster()).orElseThrow();
    book.failed(campaign, cluster, ended, code, outcome);
  }

  /** One of several of a job may have ended by itself before the job was told to end. */
  private static boolean wasKilled(OpenTask task, NoteJob note) {
    return task.getKilled() && note.getSteps().isEmpty();
  }

  private TaskStatus status(Campaign campaign, OpenTask task, NoteJob note) {
    boolean finished = note.getChange() == JobChange.FINISHED;
    // A program that was told to end may well do so with status 0, its work half done.
    boolean told = task.getDeleted() && task.getKilled();
    if (finished && note.getExitStatus() == 0 && !told) {
      return TaskStatus.DONE;
    }
    if (campaign.getCancelled() || task.getDeleted()) {
      return TaskStatus.CANCELLED;
    }
    if (note.getUnbegun()) {
      return TaskStatus.WAITING;
    }
    Optional<ExitWish> wish = ExitWish.of(note);
    if (wish.isPresent()) {
      // Of a test each task is the only one for its cluster: now and at the end are the same.
      boolean now =
          campaign.getTest()
              || campaign.getRanges().size() >= POSTPONED_RANGES_MAX
              || state.totals().tooManyTried(campaign);
      TaskStatus again = now ? TaskStatus.WAITING : wish.get().status();
      return task.getWishes() + 1 < KILLINGS_MAX ? again : TaskStatus.EVENT;
    }
    // A job that the server deleted by itself would be deleted again and again.
    boolean again =
        finished ? wasKilled(task, note) || TaskLoss.lost(note) : note.getWhy().isEmpty();
    boolean more = task.getLeaving() || task.getGaveWay() || task.getKillings() + 1 < KILLINGS_MAX;
    return again && more ? TaskStatus.WAITING : TaskStatus.EVENT;
  }
}
