package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which tasks are sent where now. A cluster's room goes to the campaign whose turn it is of those
 * that have a task for it that waits.
 */
final class TaskPacing {

  /** Jobs of one command to a shard. */
  private static final int JOBS_MAX = 100;

  /** Bytes of them together, about; a command with more has one job. */
  private static final int BYTES_MAX = 1 << 20;

  /** The line of a task, and its folder, are in arguments and in two variables. */
  private static final int COPIES = 3;

  /**
   * A campaign whose tasks are in so many places that its record would become too large is sent no
   * further until some of them are over.
   */
  static final int RANGES_MAX = 100_000;

  /** A campaign with so many open events is sent no further until some of them are fixed. */
  static final int EVENTS_MAX = 1_000;

  private static final Set<TaskStatus> AT_CLUSTERS =
      EnumSet.of(TaskStatus.SENT, TaskStatus.QUEUED, TaskStatus.RUNNING);

  private final CampaignState state;
  private final PredictedRoom predicted;
  private final ClusterTurns turns;
  private final TaskChoice choice;

  TaskPacing(CampaignState state) {
    this.state = state;
    this.turns = new ClusterTurns(state);
    this.choice = new TaskChoice(state);
    this.predicted = new PredictedRoom(state);
  }

  PredictedRoom predicted() {
    return predicted;
  }

  /** What is sent with one command. */
  record Sending(SpecificRecord fact, int shard, SubmitJobs command) {}

  /** The next command; empty when nothing is to be sent now. Its fact has to be applied before. */
  Optional<Sending> next(long nowMs) {
    Map<String, Optional<Campaign>> first = new HashMap<>();
    for (Campaign campaign : inTurn()) {
      if (!waits(campaign)) {
        continue;
      }
      for (CampaignCluster cluster : campaign.getClusters()) {
        String name = cluster.getName();
        Optional<Campaign> turn = first.computeIfAbsent(name, it -> first(it, nowMs));
        if (turn.isPresent() && turn.get().getId() == campaign.getId()) {
          Optional<Sending> sending = next(campaign, cluster, nowMs);
          if (sending.isPresent()) {
            return sending;
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Sending> next(Campaign campaign, CampaignCluster cluster, long nowMs) {
    int room = room(campaign, cluster);
    if (room == 0) {
      return Optional.empty();
    }
    if (cluster.getPrologue() == TaskStatus.WAITING) {
      return Optional.of(ScriptDeciders.send(state, campaign, cluster, false, nowMs));
    }
    if (campaign.getTest()) {
      return Optional.of(send(campaign, cluster, ownTask(campaign, cluster), nowMs));
    }
    int share = turns.share(campaign, cluster, wanting(cluster.getName(), nowMs), room);
    List<CampaignCluster> open = new ArrayList<>();
    for (CampaignCluster other : campaign.getClusters()) {
      if (other == cluster
          || isSeen(other) && hindrance(campaign, other, nowMs) == Hindrance.NONE) {
        open.add(other);
      }
    }
    List<Integer> tasks = choice.tasks(campaign, cluster, open, share);
    return Optional.of(send(campaign, cluster, tasks, nowMs));
  }

  private boolean isSeen(CampaignCluster cluster) {
    return state.load(cluster.getName()).filter(it -> it.getProcessors() > 0).isPresent();
  }

  /** Campaigns that go on: tests first, then the others. */
  private List<Campaign> inTurn() {
    List<Campaign> all = state.going();
    all.sort(Comparator.comparing(campaign -> !campaign.getTest()));
    return all;
  }

  /** Campaigns that name a cluster, in the order of their turns there. */
  List<Campaign> inTurn(String cluster) {
    return turns.of(cluster);
  }

  ClusterTurns turns() {
    return turns;
  }

  /** The task that a test has for a cluster, if it waits. */
  private static List<Integer> ownTask(Campaign campaign, CampaignCluster cluster) {
    int task = campaign.getClusters().indexOf(cluster);
    boolean waits = TaskRanges.status(campaign.getRanges(), task) == TaskStatus.WAITING;
    return waits ? List.of(task) : List.of();
  }

  /** Whether a campaign has a task that waits to be sent to a cluster of it. */
  private static boolean waitsFor(Campaign campaign, CampaignCluster cluster) {
    return campaign.getTest() ? !ownTask(campaign, cluster).isEmpty() : waits(campaign);
  }

  /** What keeps all tasks of a campaign from a cluster, whatever room it has. */
  Hindrance hindrance(Campaign campaign, CampaignCluster cluster, long nowMs) {
    if (campaign.getPausedMs() >= 0) {
      return Hindrance.PAUSED;
    }
    if (campaign.getOpenEvents() >= EVENTS_MAX) {
      return Hindrance.EVENTS;
    }
    if (campaign.getRanges().size() >= RANGES_MAX) {
      return Hindrance.PLACES;
    }
    return ofCluster(cluster, nowMs);
  }

  /** What keeps an epilogue from a cluster: it comes when nothing of the tasks is open. */
  Hindrance ofEpilogue(Campaign campaign, CampaignCluster cluster, long nowMs) {
    return campaign.getPausedMs() >= 0 ? Hindrance.PAUSED : ofCluster(cluster, nowMs);
  }

  private Hindrance ofCluster(CampaignCluster cluster, long nowMs) {
    if (cluster.getBlacklist() != 0) {
      return Hindrance.BLACKLIST;
    }
    if (cluster.getPausedUntilMs() > nowMs) {
      return Hindrance.REFUSED;
    }
    if (state.stop(cluster.getName()).isPresent()) {
      return Hindrance.STOP;
    }
    return isReady(cluster) ? Hindrance.NONE : Hindrance.PROLOGUE;
  }

  /** Whether its prologue is done, or can be sent. */
  private static boolean isReady(CampaignCluster cluster) {
    TaskStatus prologue = cluster.getPrologue();
    return prologue == TaskStatus.DONE || prologue == TaskStatus.WAITING;
  }

  /**
   * Whether nothing of a campaign is at a cluster, and it has been paused since a time, or none of
   * the clusters that it needs yet has been open to it: the newest event is as old. A campaign that
   * only waits for room is not stuck.
   */
  boolean isStuckSince(Campaign campaign, long sinceMs) {
    boolean stuck =
        !campaign.getCancelled()
            && campaign.getSubmittedMs() <= sinceMs
            && campaign.getEventMs() <= sinceMs
            && campaign.getRanges().stream().noneMatch(it -> AT_CLUSTERS.contains(it.getStatus()))
            && campaign.getClusters().stream().noneMatch(ScriptDeciders::isAtCluster);
    if (stuck && campaign.getPausedMs() >= 0) {
      return campaign.getPausedMs() <= sinceMs;
    }
    boolean over = ScriptDeciders.tasksOver(campaign);
    return stuck
        && campaign.getClusters().stream()
            .filter(it -> over ? ScriptDeciders.isOwed(it) : isNeeded(campaign, it))
            .allMatch(it -> isShutSince(campaign, it, sinceMs));
  }

  private static boolean isNeeded(Campaign campaign, CampaignCluster cluster) {
    return !campaign.getTest() || waitsFor(campaign, cluster);
  }

  private boolean isShutSince(Campaign campaign, CampaignCluster cluster, long sinceMs) {
    // Of its tasks, not of the epilogue that follows on them.
    boolean tooManyPlaces = campaign.getRanges().size() >= RANGES_MAX && waits(campaign);
    boolean own =
        campaign.getOpenEvents() >= EVENTS_MAX
            || tooManyPlaces
            || cluster.getBlacklist() != 0
            || cluster.getTrouble() != 0
            || !isReady(cluster);
    return own
        || state
            .stop(cluster.getName())
            .flatMap(stop -> state.event(0, stop.getCause()))
            .filter(event -> event.getOpenedMs() <= sinceMs)
            .isPresent();
  }

  /** The campaign to which the room of a cluster goes now. */
  Optional<Campaign> first(String name, long nowMs) {
    return turns.of(name).stream().filter(it -> wants(it, name, nowMs)).findFirst();
  }

  private List<Campaign> wanting(String name, long nowMs) {
    return turns.of(name).stream().filter(it -> wants(it, name, nowMs)).toList();
  }

  private boolean wants(Campaign campaign, String name, long nowMs) {
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
    return waitsFor(campaign, cluster)
        && !isFull(cluster)
        && hindrance(campaign, cluster, nowMs) == Hindrance.NONE;
  }

  /** Whether as many of its tasks are there as may be. */
  static boolean isFull(CampaignCluster cluster) {
    return cluster.getMost() > 0
        && cluster.getWaiting() + cluster.getRunning() >= cluster.getMost();
  }

  /** How many further tasks a cluster may get now. */
  int room(Campaign campaign, CampaignCluster cluster) {
    ClusterLoad load = state.load(cluster.getName()).orElse(null);
    if (load == null || load.getProcessors() == 0) {
      return 0;
    }
    if (campaign.getTest()) {
      // One task takes the next processor there is, whatever waits already.
      return 1;
    }
    return bound(cluster, predicted.allowed(cluster, load));
  }

  /** So many of some tasks can go to a cluster with one command. */
  static int bound(CampaignCluster cluster, int tasks) {
    // A shard takes all jobs of a command or none: after a refusal fewer are tried.
    int some = Math.max(1, JOBS_MAX >> Math.min(Integer.SIZE - 1, cluster.getRefusals()));
    int bound = cluster.getMost() == 0 ? Integer.MAX_VALUE : cluster.getMost();
    int left = Math.max(0, bound - cluster.getWaiting() - cluster.getRunning());
    return Math.min(Math.min(some, tasks), left);
  }

  /** Whether a task of a campaign waits in the bag. */
  static boolean waits(Campaign campaign) {
    return TaskRanges.count(campaign.getRanges(), it -> it == TaskStatus.WAITING) > 0;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** What is sent with one command; tasks that run get a replica. */
  Sending send(Campaign campaign, CampaignCluster cluster, List<Integer> tasks, long nowMs) {
    List<SentTask> sent = new ArrayList<>();
    long job =
        bytes(cluster.getJob().toString())
            + bytes(cluster.getProgram())
            + COPIES * bytes(cluster.getDirectory());
    long all = 0;
    for (int task : tasks) {
      all += job + COPIES * bytes(state.parameters(campaign, task));
      if (all > BYTES_MAX && !sent.isEmpty()) {
        break;
      }
      int before =
          state
              .open(campaign.getId(), task)
              .map(open -> Math.max(open.getAttempt(), open.getNewest()))
              .orElse(0);
      sent.add(new SentTask(task, before + 1));
    }
    SentTask first = sent.get(0);
    CommandId id =
        TaskJobs.id(nowMs, new TaskTag(campaign.getId(), first.getTask(), first.getAttempt()));
    boolean replicas =
        TaskRanges.status(campaign.getRanges(), first.getTask()) == TaskStatus.RUNNING;
    TasksSent fact = new TasksSent(nowMs, campaign.getId(), cluster.getName(), id, sent, replicas);
    return new Sending(
        fact, cluster.getShard(), TaskJobs.submit(state, campaign, cluster, id, sent));
  }
}
