package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.campaigns.core.group.GroupSize;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.campaigns.core.pace.Hindrance;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which tasks are sent where now. A cluster's room goes to the campaign whose turn it is of those
 * that have a task for it that waits. One whose predictor allows nothing now is passed over, but
 * those behind it get only what is idle: they do not queue up before it.
 */
final class TaskPacing {

  /** Jobs of one command to a shard. */
  private static final int JOBS_MAX = 100;

  /** With so many jobs that are held a campaign gets nothing more on a cluster. */
  static final int HELD_MAX = 100;

  /** Tasks in them together, where several are in one. */
  private static final int TASKS_MAX = 1_000;

  /** Bytes of them together, about; a command with more has one job. */
  private static final int BYTES_MAX = 1 << 20;

  /** A job's other words. */
  private static final long JOB_BYTES = 2_000;

  /** The line of a task, and its folder, are in arguments and in two variables. */
  private static final int COPIES = 3;

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

  /**
   * A turn on a cluster.
   *
   * @param room tasks of the campaign that may be sent there now, above 0
   */
  private record RoomTurn(Campaign campaign, int room) {}

  /**
   * The next command; empty when nothing is to be sent now. Its fact has to be applied before.
   *
   * @param clusters those that may have got room
   */
  Optional<Sending> next(Collection<String> clusters, long nowMs) {
    RoomTurn first = null;
    CampaignCluster there = null;
    for (String name : clusters) {
      for (RoomTurn turn : withRoom(name, 1, nowMs)) {
        CampaignCluster cluster = CampaignState.cluster(turn.campaign(), name).orElseThrow();
        if (first == null || isBefore(turn.campaign(), cluster, first.campaign(), there)) {
          first = turn;
          there = cluster;
        }
      }
    }
    return first == null ? Optional.empty() : Optional.of(next(first, there, nowMs));
  }

  /** Tests first, then in the order of submission; a campaign's clusters in their order. */
  private static boolean isBefore(
      Campaign one, CampaignCluster of, Campaign other, CampaignCluster ofOther) {
    if (one.getTest() != other.getTest()) {
      return one.getTest();
    }
    return one.getId() != other.getId()
        ? one.getId() < other.getId()
        : one.getClusters().indexOf(of) < one.getClusters().indexOf(ofOther);
  }

  private Sending next(RoomTurn turn, CampaignCluster cluster, long nowMs) {
    Campaign campaign = turn.campaign();
    if (cluster.getPrologue() == TaskStatus.WAITING) {
      return ScriptDeciders.send(state, campaign, cluster, false, nowMs);
    }
    if (campaign.getTest()) {
      return send(campaign, cluster, ownTask(campaign, cluster), nowMs);
    }
    List<Campaign> wanting =
        withRoom(cluster.getName(), Integer.MAX_VALUE, nowMs).stream()
            .map(RoomTurn::campaign)
            .toList();
    int share = turns.share(campaign, cluster, wanting, turn.room());
    List<CampaignCluster> open = new ArrayList<>();
    for (CampaignCluster other : campaign.getClusters()) {
      if (other == cluster
          || isSeen(other) && hindrance(campaign, other, nowMs) == Hindrance.NONE) {
        open.add(other);
      }
    }
    int size = groupSize(campaign, cluster);
    int most = size == 1 ? share : Math.min(TASKS_MAX, share * size);
    List<Integer> tasks = choice.tasks(campaign, cluster, open, most);
    return send(campaign, cluster, tasks, new GroupFill(size, share), nowMs);
  }

  /** How many tasks of a campaign go into one job there. */
  private int groupSize(Campaign campaign, CampaignCluster cluster) {
    if (!cluster.getGrouping()) {
      return 1;
    }
    int waiting = TaskRanges.count(campaign.getRanges(), it -> it == TaskStatus.WAITING);
    return GroupSize.of(cluster, state.load(cluster.getName()).orElseThrow(), waiting);
  }

  private boolean isSeen(CampaignCluster cluster) {
    return state.load(cluster.getName()).filter(it -> it.getProcessors() > 0).isPresent();
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
    return hindrance(campaign, cluster, isStopped(cluster.getName()), nowMs);
  }

  private boolean isStopped(String cluster) {
    return state.stop(cluster).isPresent();
  }

  /**
   * Whether what waits at a cluster cannot begin there until somebody mends it, while another
   * cluster of the campaign is open. A queue that only takes no further jobs starts those that it
   * has.
   */
  boolean isStranded(Campaign campaign, String name, long nowMs) {
    boolean starts =
        state
            .stop(name)
            .map(it -> it.getCode().equals(EventCode.QUEUE_DISABLED.name()))
            .orElse(true);
    return !starts
        && !campaign.getTest()
        && campaign.getClusters().stream()
            .anyMatch(it -> hindrance(campaign, it, nowMs) == Hindrance.NONE);
  }

  private Hindrance hindrance(
      Campaign campaign, CampaignCluster cluster, boolean stopped, long nowMs) {
    if (campaign.getPausedMs() >= 0) {
      return Hindrance.PAUSED;
    }
    if (state.totals().tooManyEvents(campaign)) {
      return Hindrance.EVENTS;
    }
    if (state.totals().tooManyRanges(campaign)) {
      return Hindrance.PLACES;
    }
    return ofCluster(cluster, stopped, nowMs);
  }

  /** What keeps an epilogue from a cluster: it comes when nothing of the tasks is open. */
  Hindrance ofEpilogue(Campaign campaign, CampaignCluster cluster, long nowMs) {
    return campaign.getPausedMs() >= 0
        ? Hindrance.PAUSED
        : ofCluster(cluster, isStopped(cluster.getName()), nowMs);
  }

  private Hindrance ofCluster(CampaignCluster cluster, boolean stopped, long nowMs) {
    if (cluster.getBlacklist() != 0) {
      return Hindrance.BLACKLIST;
    }
    if (cluster.getPausedUntilMs() > nowMs) {
      return Hindrance.REFUSED;
    }
    if (stopped) {
      return Hindrance.STOP;
    }
    ClusterLoad load = state.load(cluster.getName()).orElse(null);
    if (load != null && ClusterStress.tooMuch(load)) {
      return Hindrance.STRESS;
    }
    if (load != null && !JobStanding.hindrance(cluster, load, nowMs).isEmpty()) {
      return Hindrance.TYPE;
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
    boolean tooManyPlaces = state.totals().tooManyRanges(campaign) && waits(campaign);
    boolean own =
        state.totals().tooManyEvents(campaign)
            || tooManyPlaces
            || cluster.getBlacklist() != 0
            || cluster.getTrouble() != 0
            || cluster.getVain() != 0
            || !isReady(cluster);
    return own
        || state
            .stop(cluster.getName())
            .flatMap(stop -> state.event(0, stop.getCause()))
            .filter(event -> event.getOpenedMs() <= sinceMs)
            .isPresent();
  }

  /** Campaigns that have something for a cluster, with or without room for it now. */
  List<Campaign> wanting(String name, long nowMs) {
    return turns.of(name).stream().filter(it -> wants(it, name, nowMs)).toList();
  }

  /** Of the campaigns that get something of a cluster's room now, so many from the first on. */
  private List<RoomTurn> withRoom(String name, int most, long nowMs) {
    List<RoomTurn> found = new ArrayList<>();
    ClusterLoad load = state.load(name).orElse(null);
    if (load == null || load.getProcessors() == 0 || isStopped(name)) {
      return found;
    }
    // Asked once for all campaigns.
    int waiting = predicted.waiting(name);
    int spare = predicted.spare(name);
    boolean passed = false;
    for (Campaign campaign : turns.of(name)) {
      if (found.size() == most || passed && spare == 0) {
        break;
      }
      CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
      if (wants(campaign, cluster, false, nowMs)) {
        int room = room(campaign, cluster, load, waiting);
        room = passed ? Math.min(room, spare / cluster.getProcessors()) : room;
        if (room > 0) {
          found.add(new RoomTurn(campaign, room));
        } else {
          passed = true;
        }
      }
    }
    return found;
  }

  /** Where a campaign stands; behind all when it does not. */
  private static int position(List<Campaign> all, Campaign campaign) {
    int at = 0;
    while (at < all.size() && all.get(at).getId() != campaign.getId()) {
      at++;
    }
    return at;
  }

  /** The campaign that has a cluster's room before another one; empty when it has its turn. */
  Optional<Campaign> before(Campaign campaign, String name, long nowMs) {
    List<Campaign> wanting = wanting(name, nowMs);
    if (wanting.isEmpty()) {
      return Optional.empty();
    }
    List<RoomTurn> turn = withRoom(name, 1, nowMs);
    Campaign first = turn.isEmpty() ? wanting.get(0) : turn.get(0).campaign();
    return position(wanting, first) < position(wanting, campaign)
        ? Optional.of(first)
        : Optional.empty();
  }

  /** Whether a campaign has something for a cluster that may go there once there is room. */
  boolean wants(Campaign campaign, String name, long nowMs) {
    CampaignCluster cluster = CampaignState.cluster(campaign, name).orElseThrow();
    return wants(campaign, cluster, isStopped(name), nowMs);
  }

  private boolean wants(Campaign campaign, CampaignCluster cluster, boolean stopped, long nowMs) {
    return waitsFor(campaign, cluster)
        && !isFull(cluster)
        && hindrance(campaign, cluster, stopped, nowMs) == Hindrance.NONE;
  }

  /** Whether as many of its tasks are there as may be. */
  static boolean isFull(CampaignCluster cluster) {
    return cluster.getMost() > 0
        && cluster.getWaiting() + cluster.getRunning() >= cluster.getMost();
  }

  /** How many further tasks a cluster may get now. */
  int room(Campaign campaign, CampaignCluster cluster) {
    String name = cluster.getName();
    ClusterLoad load = state.load(name).orElse(null);
    return load == null ? 0 : room(campaign, cluster, load, predicted.waiting(name));
  }

  /**
   * The same.
   *
   * @param waiting tasks of all campaigns that wait there
   */
  private int room(Campaign campaign, CampaignCluster cluster, ClusterLoad load, int waiting) {
    if (load.getProcessors() == 0) {
      return 0;
    }
    if (campaign.getTest()) {
      // One task takes the next processor there is, whatever waits already.
      return 1;
    }
    return bound(cluster, predicted.allowed(cluster, load, waiting));
  }

  /** So many of some tasks can go to a cluster with one command. */
  static int bound(CampaignCluster cluster, int tasks) {
    // A shard takes all jobs of a command or none: after a refusal fewer are tried.
    int some = Math.max(1, JOBS_MAX >> Math.min(Integer.SIZE - 1, cluster.getRefusals()));
    int bound = cluster.getMost() == 0 ? Integer.MAX_VALUE : cluster.getMost();
    int left = Math.max(0, bound - cluster.getWaiting() - cluster.getRunning());
    if (cluster.getHeld() >= HELD_MAX) {
      return 0;
    }
    return Math.min(Math.min(some, tasks), left);
  }

  /** Whether a task of a campaign waits in the bag. */
  static boolean waits(Campaign campaign) {
    return TaskRanges.has(campaign.getRanges(), TaskStatus.WAITING);
  }

  /** Of a task's job, about. */
  private static long bytes(JobSpec job) {
    List<Attribute> all = new ArrayList<>(job.getVariables());
    all.addAll(job.getResourceList());
    all.addAll(job.getExtra());
    all.addAll(job.getAsked() == null ? List.of() : job.getAsked());
    long bytes = JOB_BYTES + bytes(job.getRequest().toString());
    for (Attribute one : all) {
      bytes += bytes(one.getName()) + bytes(one.getValue());
    }
    return bytes;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * How tasks are put into jobs.
   *
   * @param size most tasks of a job
   * @param jobs so many at most
   */
  private record GroupFill(int size, int jobs) {}

  /** What is sent with one command, each task in a job of its own; those that run get a replica. */
  Sending send(Campaign campaign, CampaignCluster cluster, List<Integer> tasks, long nowMs) {
    return send(campaign, cluster, tasks, new GroupFill(1, tasks.size()), nowMs);
  }

  private List<SentTask> packed(
      Campaign campaign, CampaignCluster cluster, List<Integer> tasks, GroupFill packing) {
    List<SentTask> sent = new ArrayList<>();
    long job =
        bytes(cluster.getJob())
            + bytes(cluster.getProgram())
            + COPIES * bytes(cluster.getDirectory());
    long all = 0;
    int lead = -1;
    int there = 0;
    int jobs = 0;
    for (int task : tasks) {
      Optional<OpenTask> before = state.open(campaign.getId(), task);
      // What kept the task from its end with others is to be seen.
      boolean alone = packing.size == 1 || before.filter(it -> it.getKillings() > 0).isPresent();
      boolean joins = !alone && lead >= 0 && there < packing.size;
      all += (joins ? 0 : job) + COPIES * bytes(state.parameters(campaign, task));
      if (!joins && jobs == packing.jobs || all > BYTES_MAX && !sent.isEmpty()) {
        break;
      }
      int attempt = before.map(it -> Math.max(it.getAttempt(), it.getNewest())).orElse(0) + 1;
      sent.add(new SentTask(task, attempt, joins ? lead : -1));
      jobs += joins ? 0 : 1;
      there = joins ? there + 1 : 1;
      lead = joins ? lead : alone ? -1 : task;
    }
    return sent;
  }

  private Sending send(
      Campaign campaign,
      CampaignCluster cluster,
      List<Integer> tasks,
      GroupFill packing,
      long nowMs) {
    List<SentTask> sent = packed(campaign, cluster, tasks, packing);
    SentTask first = sent.get(0);
    CommandId id =
        TaskJobs.id(nowMs, new TaskTag(campaign.getId(), first.getTask(), first.getAttempt()));
    boolean replicas =
        TaskRanges.status(campaign.getRanges(), first.getTask()) == TaskStatus.RUNNING;
    boolean night =
        state
            .load(cluster.getName())
            .filter(it -> JobStanding.goesToNight(cluster, it, nowMs))
            .isPresent();
    TasksSent fact =
        new TasksSent(nowMs, campaign.getId(), cluster.getName(), id, sent, replicas, night);
    int shard = night ? cluster.getNight().getShard() : cluster.getShard();
    return new Sending(fact, shard, TaskJobs.submit(state, campaign, cluster, id, fact));
  }
}
