package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCancelled;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.ContinueCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PostponedTasksReturned;
import io.millrace.schemas.campaign.ReplicasDropped;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksOverdue;
import io.millrace.schemas.campaign.TasksTakenBack;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.admission.AdmissionDeciders;
import io.millrace.server.campaigns.core.affinity.AffinityDeciders;
import io.millrace.server.campaigns.core.notice.NoticeDeciders;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Takes one record of the inbox after the other. Not thread-safe. */
public final class CampaignDesk {

  /** So long a campaign goes on of which nothing can be sent, or is left, for its open events. */
  static final long EVENTS_MS = 30L * 24 * 60 * 60 * 1_000;

  private static final Set<TaskStatus> OVER =
      EnumSet.of(TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.CANCELLED);

  /**
   * Campaigns that have ended are remembered for 30 days, 200 of them, and as many of these as have
   * room; of those of an owner the last ones.
   */
  static final long KEPT_MS = 30L * 24 * 60 * 60 * 1_000;

  static final int KEPT_MAX = 200;

  static final long KEPT_BYTES_MAX = 24L << 20;

  /** Each may have a thousand failures. */
  private static final int PURGED_AT_ONCE = 10;

  private final CampaignState state;
  private final CampaignAppliers appliers;
  private final SubmissionDeciders submissions;
  private final CampaignDeciders deciders;
  private final EventBook book;
  private final EventDeciders events;
  private final TaskDeciders tasks;
  private final NoticeDeciders notices;
  private final AdmissionDeciders admission;
  private final AffinityDeciders affinities;
  private final RefusedTasks refusals;
  private final TaskPacing pacing;
  private final PredictedRoom predicted;
  private final VainWaiting vain;
  private final Finalisation finalisation;
  private final ScriptDeciders scripts;

  public CampaignDesk(CampaignState state) {
    this.state = state;
    this.appliers = new CampaignAppliers(state);
    this.book = new EventBook(state);
    this.scripts = new ScriptDeciders(state, book);
    this.admission = new AdmissionDeciders(state.table());
    this.affinities = new AffinityDeciders(state.table());
    this.deciders = new CampaignDeciders(state, book, scripts);
    this.submissions = new SubmissionDeciders(state, admission);
    this.events = new EventDeciders(state, book);
    this.tasks = new TaskDeciders(state, book);
    this.notices = new NoticeDeciders(state.table());
    this.refusals = new RefusedTasks(state, book);
    this.pacing = new TaskPacing(state);
    this.predicted = pacing.predicted();
    this.vain = new VainWaiting(state, pacing);
    this.finalisation = new Finalisation(state, pacing);
  }

  /**
   * Decides one record, applies what was decided, and sends what is to be sent then.
   *
   * @param nowMs time of the record
   * @throws IllegalArgumentException for a record that does not belong into the inbox
   */
  public CampaignOutcome take(SpecificRecord record, long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    state.forgetChanged();
    Optional<String> place = onlyPlace(record);
    if (record instanceof DeleteCampaign command) {
      deciders.decide(command, nowMs, outcome);
    } else if (record instanceof AlterCampaign command) {
      deciders.decide(command, nowMs, outcome);
    } else if (record instanceof NoteJob note) {
      tasks(note, nowMs, outcome);
    } else if (record instanceof NoteCluster note) {
      deciders.decide(note, nowMs, outcome);
    } else if (record instanceof Reply reply) {
      refusals.decide(reply, nowMs, outcome);
    } else if (record instanceof FixEvents command) {
      events.decide(command, nowMs, outcome);
    } else if (record instanceof SetAdmissionRules command) {
      Reply answer = admission.answer(command);
      if (answer.getCode() == 0) {
        outcome.fact(AdmissionDeciders.fact(command, nowMs));
      }
      outcome.answer(answer);
    } else if (record instanceof SetAffinity command) {
      affinities.decide(command, nowMs).ifPresent(outcome::fact);
      outcome.answer(affinities.answer(command));
    } else if (record instanceof SubscribeNotices command) {
      notices.decide(command, nowMs).ifPresent(outcome::fact);
      outcome.answer(notices.answer(command, nowMs));
    } else if (record instanceof UnsubscribeNotices command) {
      notices.decide(command, nowMs).ifPresent(outcome::fact);
      outcome.answer(notices.answer(command));
    } else if (record instanceof ContinueCampaign message) {
      deciders.decide(message, nowMs, outcome);
    } else if (!submissions.decide(record, nowMs, outcome)
        && !tasks.decide(record, nowMs, outcome)) {
      throw new IllegalArgumentException(record.getSchema().getName() + " is nothing for it");
    }
    if (!(record instanceof NoteJob)) {
      outcome.facts().forEach(appliers::apply);
    }
    if (record instanceof NoteCluster note) {
      pace(note.getLoad().getName(), nowMs, outcome);
    }
    makeWay(nowMs, outcome);
    boolean moves = outcome.facts().stream().allMatch(CampaignDesk::onlyMoves);
    send(moves ? place : Optional.empty(), nowMs, outcome);
    if (record instanceof NoteCluster note) {
      replicate(note.getLoad().getName(), nowMs, outcome);
    }
    epilogues(concerned(record), nowMs, outcome);
    takeScriptsBack(concerned(record), nowMs, outcome);
    if (record instanceof NoteCluster) {
      hindered(nowMs, outcome);
    }
    end(concerned(record), nowMs, outcome);
    purge(nowMs, outcome);
    return outcome;
  }

  /** What is told of a job is decided for one of its tasks after the other. */
  private void tasks(NoteJob note, long nowMs, CampaignOutcome outcome) {
    for (NoteJob one : deciders.each(note)) {
      CampaignOutcome part = new CampaignOutcome();
      deciders.decide(one, nowMs, part);
      part.orders().forEach(it -> outcome.order(it.shard(), it.command()));
      part.facts().forEach(it -> apply(it, outcome));
    }
  }

  /** Campaigns with which something may be due that was not before: there may be many others. */
  private List<Campaign> concerned(SpecificRecord record) {
    return record instanceof NoteCluster ? state.going() : state.changed();
  }

  /** Looks at what only time brings. */
  public CampaignOutcome look(long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    for (Campaign campaign : state.going()) {
      boolean old = campaign.getOpenEvents() > 0 && campaign.getEventMs() <= nowMs - EVENTS_MS;
      if (old && campaign.getRanges().stream().allMatch(it -> isLeft(it.getStatus()))) {
        closeAll(campaign, nowMs, outcome);
      } else if (outcome.more().isEmpty() && pacing.isStuckSince(campaign, nowMs - EVENTS_MS)) {
        // One at a look: what it has to tell itself is one message.
        apply(
            new CampaignCancelled(nowMs, campaign.getId(), EventBook.ITSELF, campaign.getOwner()),
            outcome);
        outcome.more(new ContinueCampaign(campaign.getId()));
      }
    }
    end(state.going(), nowMs, outcome);
    for (int i = 0; i < PURGED_AT_ONCE; i++) {
      purge(nowMs, outcome);
    }
    return outcome;
  }

  /** Writes the letters that are due. */
  public CampaignOutcome write(long nowMs) {
    CampaignOutcome outcome = new CampaignOutcome();
    notices.due(nowMs).forEach(it -> apply(it, outcome));
    return outcome;
  }

  private static boolean isLeft(TaskStatus status) {
    return OVER.contains(status) || status == TaskStatus.EVENT;
  }

  private void apply(SpecificRecord fact, CampaignOutcome outcome) {
    outcome.fact(fact);
    appliers.apply(fact);
  }

  private void closeAll(Campaign campaign, long nowMs, CampaignOutcome outcome) {
    List<Long> open = book.open(campaign.getId(), Long.MAX_VALUE, Integer.MAX_VALUE);
    apply(EventBook.closed(campaign, open, nowMs), outcome);
  }

  private void purge(long nowMs, CampaignOutcome outcome) {
    OptionalLong campaign = state.ended().due(nowMs - KEPT_MS, KEPT_MAX, KEPT_BYTES_MAX);
    if (campaign.isPresent()) {
      apply(
          new CampaignPurged(nowMs, campaign.getAsLong(), state.owner(campaign.getAsLong())),
          outcome);
    }
  }

  /** Asks predictors in turn until one allows something: those before it are passed over. */
  private void ask(List<Campaign> turns, String cluster, long nowMs, CampaignOutcome outcome) {
    int spare = predicted.spare(cluster);
    boolean given = false;
    boolean passed = false;
    for (Campaign campaign : turns) {
      CampaignCluster there = CampaignState.cluster(campaign, cluster).orElseThrow();
      boolean turn =
          !given
              && pacing.wants(campaign, cluster, nowMs)
              && (!passed || spare >= there.getProcessors());
      predicted.ask(campaign, cluster, turn, nowMs).ifPresent(fact -> apply(fact, outcome));
      if (turn) {
        given = pacing.room(campaign, there) > 0;
        passed = true;
      }
    }
  }

  /** What predictors want of a cluster that was looked at. */
  private void pace(String cluster, long nowMs, CampaignOutcome outcome) {
    List<Campaign> turns = pacing.inTurn(cluster);
    ask(turns, cluster, nowMs, outcome);
    // Those whose turn is last give back first.
    List<Campaign> last = new ArrayList<>(turns);
    Collections.reverse(last);
    for (Campaign campaign : last) {
      List<OpenTask> back =
          pacing.isStranded(campaign, cluster, nowMs)
              ? predicted.stranded(campaign, cluster, nowMs)
              : predicted.takenBack(campaign, cluster, nowMs);
      takeBack(campaign, cluster, back, outcome, nowMs);
      vain(campaign, cluster, nowMs, outcome);
    }
  }

  private void vain(Campaign campaign, String name, long nowMs, CampaignOutcome outcome) {
    VainWaiting.TakenBack back = vain.of(campaign, name, nowMs);
    if (back.tasks().isEmpty()) {
      return;
    }
    if (back.stay()) {
      List<Integer> numbers = back.tasks().stream().map(OpenTask::getTask).toList();
      apply(new TasksOverdue(nowMs, campaign.getId(), name, numbers), outcome);
      return;
    }
    takeBack(campaign, name, back, outcome, nowMs);
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
    if (cluster.getUnbegun() >= VainWaiting.ROUNDS) {
      CampaignOutcome opened = new CampaignOutcome();
      book.vain(campaign, cluster, back.why(), nowMs, opened);
      opened.facts().forEach(it -> apply(it, outcome));
    }
  }

  private void takeBack(
      Campaign campaign,
      String cluster,
      List<OpenTask> tasks,
      CampaignOutcome outcome,
      long nowMs) {
    takeBack(campaign, cluster, new VainWaiting.TakenBack(tasks, 0, "", false), outcome, nowMs);
  }

  private void takeBack(
      Campaign campaign,
      String cluster,
      VainWaiting.TakenBack back,
      CampaignOutcome outcome,
      long nowMs) {
    List<OpenTask> tasks = back.tasks();
    for (OpenTask task : tasks) {
      outcome.order(task.getShard(), TaskJobs.takeBack(campaign, task, nowMs));
    }
    if (!tasks.isEmpty()) {
      List<Integer> numbers = tasks.stream().map(OpenTask::getTask).toList();
      apply(
          new TasksTakenBack(
              nowMs, campaign.getId(), cluster, numbers, back.untilMs(), back.why(), back.vain()),
          outcome);
    }
  }

  /**
   * A test that is about to go to a cluster is not to wait for what waits there: tasks of other
   * campaigns are taken back, and come again behind it.
   */
  private void makeWay(long nowMs, CampaignOutcome outcome) {
    for (Campaign test : state.going()) {
      if (test.getTest()) {
        test.getClusters().stream()
            .filter(it -> pacing.wants(test, it.getName(), nowMs) && pacing.room(test, it) > 0)
            .forEach(it -> clear(it.getName(), nowMs, outcome));
      }
    }
  }

  private void clear(String cluster, long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : state.going()) {
      if (!campaign.getTest() && CampaignState.cluster(campaign, cluster).isPresent()) {
        List<OpenTask> waiting = predicted.waitingJobs(campaign, cluster, nowMs);
        int most = Math.min(waiting.size(), CampaignDeciders.SWEPT_AT_ONCE);
        takeBack(campaign, cluster, waiting.subList(0, most), outcome, nowMs);
      }
    }
  }

  /** What was put off until the end of its campaign is due when nothing else of it waits. */
  private boolean returnPostponed(long nowMs, CampaignOutcome outcome) {
    boolean some = false;
    for (Campaign campaign : state.changed()) {
      if (!TaskPacing.waits(campaign)
          && TaskRanges.has(campaign.getRanges(), TaskStatus.POSTPONED)) {
        apply(new PostponedTasksReturned(nowMs, campaign.getId()), outcome);
        some = true;
      }
    }
    return some;
  }

  /**
   * The only cluster that can have got room by a record; empty: all may have. Tasks that begin and
   * end are most of what is told, and there may be many clusters.
   */
  private Optional<String> onlyPlace(SpecificRecord record) {
    return record instanceof NoteJob note
        ? TaskTag.parse(note.getTag())
            .flatMap(
                tag ->
                    state
                        .open(tag.campaign(), tag.task())
                        .filter(it -> it.getAttempt() == tag.attempt()))
            .map(OpenTask::getCluster)
        : Optional.empty();
  }

  private static boolean onlyMoves(SpecificRecord fact) {
    return fact instanceof TaskMoved
        || fact instanceof AttemptEnded ended && ended.getStatus() == TaskStatus.DONE;
  }

  /**
   * Sends all that can be sent.
   *
   * @param only the cluster that may have got room; empty: all may have
   */
  private void send(Optional<String> only, long nowMs, CampaignOutcome outcome) {
    boolean more = true;
    boolean all = only.isEmpty();
    while (more) {
      all |= returnPostponed(nowMs, outcome);
      Collection<String> places = all ? state.clusters() : List.of(only.get());
      Optional<TaskPacing.Sending> next = pacing.next(places, nowMs);
      next.ifPresent(it -> send(it, outcome));
      more = next.isPresent();
    }
  }

  private void send(TaskPacing.Sending sending, CampaignOutcome outcome) {
    outcome.order(sending.shard(), sending.command());
    apply(sending.fact(), outcome);
  }

  private void epilogues(List<Campaign> campaigns, long nowMs, CampaignOutcome outcome) {
    scripts
        .epilogue(campaigns, pacing, nowMs)
        .ifPresent(
            sending -> {
              send(sending, outcome);
              epilogues(campaigns, nowMs, outcome);
            });
  }

  private void takeScriptsBack(List<Campaign> campaigns, long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : campaigns) {
      CampaignOutcome back = scripts.takenBack(campaign, nowMs);
      back.orders().forEach(it -> outcome.order(it.shard(), it.command()));
      back.facts().forEach(it -> apply(it, outcome));
    }
  }

  private void hindered(long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : state.going()) {
      scripts.hindered(campaign, pacing, nowMs).facts().forEach(it -> apply(it, outcome));
    }
  }

  /** What no task wants of a cluster that was looked at is for replicas. */
  private void replicate(String cluster, long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : state.going()) {
      List<OpenTask> dropped = finalisation.dropped(campaign, cluster, nowMs);
      dropped.forEach(it -> ReplicaDeciders.end(campaign, it, nowMs, outcome));
      if (!dropped.isEmpty()) {
        List<Integer> numbers = dropped.stream().map(OpenTask::getTask).toList();
        apply(new ReplicasDropped(nowMs, campaign.getId(), numbers), outcome);
      }
    }
    finalisation.next(cluster, nowMs).ifPresent(sending -> send(sending, outcome));
  }

  private void end(List<Campaign> campaigns, long nowMs, CampaignOutcome outcome) {
    for (Campaign campaign : campaigns) {
      List<io.millrace.schemas.campaign.TaskRange> ranges = campaign.getRanges();
      boolean swept =
          campaign.getCancelled()
              ? campaign.getSwept() >= campaign.getTasks()
              : !ScriptDeciders.isLeft(campaign);
      if (swept && ranges.stream().allMatch(range -> OVER.contains(range.getStatus()))) {
        if (campaign.getOpenEvents() > 0) {
          closeAll(campaign, nowMs, outcome);
        }
        apply(
            new CampaignEnded(
                nowMs, campaign.getId(), campaign.getOwner(), CampaignAppliers.how(campaign)),
            outcome);
        for (CampaignCluster cluster : campaign.getClusters()) {
          // Nobody looks any more whether its cause is gone.
          state
              .stop(cluster.getName())
              .filter(stop -> !state.wanted(stop.getName()) && !EventBook.byHand(stop))
              .ifPresent(stop -> apply(EventBook.freed(stop, nowMs), outcome));
        }
      }
    }
  }
}
