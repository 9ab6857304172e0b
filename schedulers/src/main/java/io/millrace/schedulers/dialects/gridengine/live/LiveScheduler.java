package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedAmount;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.Effort;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerParams;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Runs of the dialect over a live state. */
public final class LiveScheduler {

  /** What is in a line of the file schedule about a job that starts. */
  private static final String STARTING = ":STARTING:";

  private final LiveState state;
  private final int launchesMax;
  private final LiveReasons reasons;
  private final WorkExtension stretch = new WorkExtension();
  private final LiveLimits admission;
  private LiveCluster cluster;

  /**
   * @param launchesMax starts that may be proposed and not yet answered
   * @param limits of the server and of queues, which count what the same shard runs
   */
  public LiveScheduler(LiveState state, int launchesMax, LimitGate limits) {
    this.state = state;
    this.reasons = new LiveReasons(state.jobs());
    this.admission = new LiveLimits(state, limits);
    this.launchesMax = launchesMax;
  }

  /**
   * What a run brought about.
   *
   * @param givenUp numbers of jobs that were to start at once and could not; they are not looked at
   *     again unless {@link LiveState#notGivenUp} says so
   * @param section lines for the file schedule
   * @param effort what it cost
   * @param looked jobs, or arrays, that waited when it began
   */
  public record LiveOutcome(
      List<ProposedStart> launches,
      List<Long> givenUp,
      List<String> section,
      Effort effort,
      int looked) {

    static final LiveOutcome NOTHING =
        new LiveOutcome(List.of(), List.of(), List.of(), new Effort(0, false, ""), 0);
  }

  /** True when a run now would neither propose nor report nor write anything. */
  public boolean idle() {
    return !state.anyToResume()
        && !state.jobs().anyWaits()
        && !(monitors() && !state.jobs().isEmpty())
        && !reasons.notes().anyTold();
  }

  /** Milliseconds between runs (schedule_interval). */
  public long intervalMs() {
    return 1000 * seconds("schedule_interval", 15);
  }

  /** Seconds from a submission to an extra run; 0 for none. */
  public long flushSubmitS() {
    return count("flush_submit_sec");
  }

  /** Seconds from a job's end to an extra run; 0 for none. */
  public long flushFinishS() {
    return count("flush_finish_sec");
  }

  /** Whether each run is written into the file schedule. */
  public boolean monitors() {
    return settings().map(s -> SchedulerParams.of(s.get("params")).truth("MONITOR")).orElse(false);
  }

  private Optional<OptionValues> settings() {
    return state.configuration().map(Configuration::scheduler);
  }

  private long seconds(String option, long otherwise) {
    return settings().map(s -> s.seconds(option)).orElse(otherwise);
  }

  private long count(String option) {
    return settings().map(s -> (long) s.number(option)).orElse(0L);
  }

  public boolean hasReasons() {
    return reasons.notes().hasChanges();
  }

  public List<ClassReason> takeReasons(int max) {
    return reasons.notes().takeReasons(max);
  }

  public List<String> takeCleared(int max) {
    return reasons.notes().takeCleared(max);
  }

  /**
   * The scheduler object has switched to another policy: all reasons that were reported are
   * withdrawn.
   */
  public void leave() {
    reasons.notes().begin();
    reasons.notes().end();
  }

  /**
   * Performs one run. Its starts hold their resources from now on.
   *
   * @param units work that it may do; several times as much after runs that were cut
   */
  public LiveOutcome run(Instant now, long units) {
    reasons.notes().begin();
    LiveOutcome outcome = LiveOutcome.NOTHING;
    if (!state.scheduling()) {
      outcome = nothingButGivenUp(now);
      reasons.allWait(ReasonCode.SCHEDULING_OFF.name(), "scheduling is switched off", now);
    } else if (state.configuration().isEmpty()) {
      reasons.allWait(LiveReasons.PREFIX + "CONFIGURATION", state.problem(), now);
    } else {
      outcome = decide(state.configuration().get(), now, units);
    }
    reasons.notes().end();
    return outcome;
  }

  /** An outcome without starts, in which only -now y jobs that could not start are rejected. */
  private LiveOutcome nothingButGivenUp(Instant now) {
    return new LiveOutcome(
        List.of(), givenUp(Set.of(), now), List.of(), LiveOutcome.NOTHING.effort(), 0);
  }

  private LiveOutcome decide(Configuration configuration, Instant now, long units) {
    if (state.takeClusterChanged() || cluster == null) {
      cluster = new LiveCluster(configuration, state, state.jobs().allTasks());
    }
    if (state.takeNodesChanged()) {
      state.jobs().all().forEach(live -> live.refusing.forgiven());
    }
    admission.begin();
    long budget = stretch.units(units);
    LookTotals gathered = new LookTotals();
    insideAll(configuration, now, budget / 2, gathered);
    List<PendingJob> pending =
        pending(configuration, now, state.jobs().all(), task -> outside(task, now));
    OccupiedCluster standing = gathered.standing(configuration);
    List<BookedAmount> booked =
        new ArrayList<>(state.bookings().of(cluster.hostOfNode(), standing.held));
    booked.addAll(standing.amounts.booked(state.bookings()));
    ClusterState view =
        new ClusterState(
            standing.cluster,
            configuration.scheduler(),
            standing.running,
            pending,
            admission,
            booked);
    Decisions decisions =
        GridEngineScheduler.decide(view, now, Math.max(0, budget - gathered.units));
    gathered.add(decisions, configuration, pending.size());
    gathered.section.addAll(decisions.section());
    if (monitors()) {
      gathered.section.addAll(ReservingLines.of(state.bookings(), configuration.cluster()));
    }
    stretch.ran(gathered.cut);
    // Jobs that avoid hosts where the shard refused them: the cause of a refusal may pass.
    state.jobs().all().stream()
        .filter(live -> live.refusing.mayPass(now.toEpochMilli()))
        .forEach(avoiding -> gathered.later.add(avoiding.number));
    List<Long> givenUp = givenUp(gathered.later, now);
    reasons.explain(decisions, cluster.unavailable(), now);
    Effort effort = new Effort(gathered.units, gathered.cut, decisions.effort().profile());
    return new LiveOutcome(gathered.launches, givenUp, gathered.section, effort, gathered.looked);
  }

  /** What runs, and where: it is gathered once for all looks that start nothing. */
  private record OccupiedCluster(
      Cluster cluster, List<RunningTask> running, ReservedSlots held, ReservedAmounts amounts) {}

  /** What the looks of one run have brought about together. */
  private final class LookTotals {
    final List<ProposedStart> launches = new ArrayList<>();
    final Set<Long> later = new HashSet<>();
    final List<String> section = new ArrayList<>();
    int looked;
    long units;
    boolean cut;
    private OccupiedCluster known;

    OccupiedCluster standing(Configuration configuration) {
      if (known == null) {
        Collection<LiveTask> tasks = state.jobs().allTasks();
        known =
            new OccupiedCluster(
                cluster.cluster(state.environments(), tasks),
                running(configuration),
                new ReservedSlots(tasks),
                ReservedAmounts.of(state, configuration, tasks));
      }
      return known;
    }

    void add(Decisions decisions, Configuration configuration, int jobs) {
      List<ProposedStart> more = launches(decisions, configuration);
      if (!more.isEmpty()) {
        known = null;
      }
      launches.addAll(more);
      later.addAll(stillToCome(decisions));
      looked += jobs;
      units += decisions.effort().units();
      cut |= decisions.effort().cut();
    }
  }

  /**
   * Starts jobs inside reservations, which come first. They share their part of the work, so that
   * those who wait in one of them take no time from the others, nor from the jobs beside them.
   */
  private void insideAll(Configuration configuration, Instant now, long units, LookTotals all) {
    Map<String, Set<LiveJob>> waiting = waitingInside();
    int left = waiting.size();
    for (Map.Entry<String, Set<LiveJob>> each : waiting.entrySet()) {
      Reservation reservation = state.bookings().ofQueue(each.getKey());
      long part = Math.max(0, units - all.units) / left--;
      inside(configuration, reservation, each.getValue(), now, part, all);
    }
  }

  /** Jobs that wait in queues of reservations whose windows have begun, by these queues. */
  private Map<String, Set<LiveJob>> waitingInside() {
    Map<String, Set<LiveJob>> waiting = new TreeMap<>();
    for (Reservation begun : state.bookings().begun(state.partitions())) {
      waiting.put(begun.getQueue(), new LinkedHashSet<>());
    }
    if (!waiting.isEmpty()) {
      for (LiveJob live : state.jobs().all()) {
        for (LiveTask task : live.tasks.values()) {
          Set<LiveJob> inside = waits(task) ? waiting.get(task.spec.getQueue()) : null;
          if (inside != null) {
            inside.add(live);
          }
        }
      }
      waiting.values().removeIf(Set::isEmpty);
    }
    return waiting;
  }

  /** Starts jobs inside a reservation; they have nothing else, and nobody else has what they do. */
  private void inside(
      Configuration configuration,
      Reservation reservation,
      Collection<LiveJob> jobs,
      Instant now,
      long units,
      LookTotals all) {
    List<PendingJob> pending =
        pending(
            configuration,
            now,
            jobs,
            task ->
                task.spec.getQueue().equals(reservation.getQueue())
                    && eligibleInside(reservation, task, now));
    if (pending.isEmpty()) {
      return;
    }
    OccupiedCluster standing = all.standing(configuration);
    Cluster slots =
        new ReservedCluster(reservation, cluster.hostOfNode()).of(standing.cluster, standing.held);
    ClusterState view =
        new ClusterState(
            standing.amounts.of(reservation, state.bookings(), slots),
            configuration.scheduler(),
            standing.running,
            pending,
            admission,
            standing.amounts.booked(reservation, state.bookings()));
    Decisions decisions = GridEngineScheduler.decide(view, now, units);
    all.add(decisions, configuration, pending.size());
    decisions.section().stream().filter(it -> it.contains(STARTING)).forEach(all.section::add);
    reasons.explainJobs(decisions, now);
  }

  private boolean eligibleInside(Reservation reservation, LiveTask task, Instant now) {
    if (ReservedCluster.fails(reservation)) {
      Reason reason = Reason.of(Reason.Code.QUEUE_UNAVAILABLE, reservation.getQueue());
      reasons.note(task.job(), reason, List.of(), now);
      return false;
    }
    return eligible(task, now);
  }

  /** Whether a task may start beside all reservations; one that is for a reservation may not. */
  private boolean outside(LiveTask task, Instant now) {
    if (!ReservedSlots.isReserved(task)) {
      return eligible(task, now);
    }
    if (!state.open(task.spec.getQueue())) {
      reasons.note(task.job(), Reason.of(Reason.Code.TOO_EARLY), List.of(), now);
    }
    return false;
  }

  private List<RunningTask> running(Configuration configuration) {
    List<LiveTask> holding = new ArrayList<>();
    state.jobs().allTasks().stream().filter(LiveTask::holds).forEach(holding::add);
    holding.sort(
        Comparator.comparingLong((LiveTask task) -> task.assignment.start())
            .thenComparingLong(task -> task.place));
    List<RunningTask> running = new ArrayList<>();
    Set<Long> suspended = state.suspended().all();
    for (LiveTask task : holding) {
      Optional<GridEngineJob> job =
          state.jobs().job(task.job()).flatMap(live -> job(live, configuration));
      RunningTask.Phase phase =
          suspended.contains(task.number) ? RunningTask.Phase.SUSPENDED : RunningTask.Phase.RUNNING;
      job.ifPresent(it -> running.add(new RunningTask(it, task.index(), task.assignment, phase)));
    }
    return running;
  }

  /** Whether nothing but the scheduler keeps a task from starting. */
  private static boolean waits(LiveTask task) {
    return task.own && !task.holds() && !task.held && !task.leaving;
  }

  private List<PendingJob> pending(
      Configuration configuration,
      Instant now,
      Collection<LiveJob> jobs,
      Predicate<LiveTask> eligible) {
    List<PendingJob> pending = new ArrayList<>();
    for (LiveJob live : jobs) {
      List<Integer> tasks = new ArrayList<>();
      for (LiveTask task : live.tasks.values()) {
        if (waits(task) && eligible.test(task)) {
          tasks.add(task.index());
        }
      }
      if (!tasks.isEmpty()) {
        live.refusing.tried(now.toEpochMilli());
        Optional<GridEngineJob> job = job(live, configuration);
        job.ifPresent(it -> pending.add(new PendingJob(it, tasks)));
        if (job.isEmpty()) {
          reasons.refused(live, now);
        }
      }
    }
    return pending;
  }

  private static Optional<GridEngineJob> job(LiveJob live, Configuration configuration) {
    return live.job(configuration.cluster().complexes(), configuration.limits());
  }

  private boolean eligible(LiveTask task, Instant now) {
    if (task.spent) {
      reasons.note(task.job(), Reason.of(Reason.Code.NOT_AT_ONCE), List.of(), now);
      return false;
    }
    if (!state.open(task.spec.getQueue())) {
      reasons.queueNotStarted(task, now);
      return false;
    }
    return true;
  }

  private List<ProposedStart> launches(Decisions decisions, Configuration configuration) {
    if (decisions.starts().isEmpty()) {
      return List.of();
    }
    long open =
        state.jobs().allTasks().stream()
            .filter(task -> task.stage == LiveTask.TaskStage.PROPOSED)
            .count();
    List<ProposedStart> launches = new ArrayList<>();
    for (TaskDecision start : decisions.starts()) {
      if (open + launches.size() >= launchesMax) {
        break;
      }
      LiveJob live = state.jobs().job(start.job()).orElseThrow();
      LiveTask task = live.tasks.get(start.task());
      Needs needs = job(live, configuration).orElseThrow().needs();
      state.proposed(task, start.assignment());
      launches.add(launch(task, start, needs));
    }
    return launches;
  }

  private ProposedStart launch(LiveTask task, TaskDecision start, Needs needs) {
    List<NodeShare> shares = new ArrayList<>();
    List<String> queues = new ArrayList<>();
    for (Grant grant : start.assignment().grants()) {
      Node node = cluster.node(grant.queue().host());
      shares.add(
          new NodeShare(
              node.getName(),
              node.getHost(),
              grant.slots(),
              Map.of(ExecHosts.SLOT, (long) grant.slots())));
      queues.add(grant.queue().name());
    }
    String environment = start.assignment().environment().map(e -> e.name()).orElse("");
    return new ProposedStart(
        task.number,
        shares,
        new GridEngineGrant(
            environment,
            queues,
            RunLengths.hard(start.assignment()),
            RunLengths.soft(start.assignment(), needs)));
  }

  /**
   * Jobs that may still start soon: those the run did not reach, and those for whose starts no more
   * proposals were allowed.
   */
  private Set<Long> stillToCome(Decisions decisions) {
    Set<Long> later = new HashSet<>();
    decisions.waiting().entrySet().stream()
        .filter(LiveReasons::unreached)
        .forEach(waits -> later.add(waits.getKey()));
    for (TaskDecision start : decisions.starts()) {
      if (!state.jobs().job(start.job()).orElseThrow().tasks.get(start.task()).holds()) {
        later.add(start.job());
      }
    }
    return later;
  }

  /**
   * Tasks of -now y jobs that could not start, at most as many as may be in flight. A task that is
   * held or waits for other jobs or its start time has not had its chance yet; one that has run
   * once has used it.
   *
   * @param later jobs that have not had their chance either
   */
  private List<Long> givenUp(Set<Long> later, Instant now) {
    long open = state.jobs().allTasks().stream().filter(task -> task.spent).count();
    List<Long> numbers = new ArrayList<>();
    for (LiveJob live : state.jobs().all()) {
      if (later.contains(live.number) || !live.hadItsChance(now.getEpochSecond())) {
        continue;
      }
      for (LiveTask task : live.tasks.values()) {
        if (waits(task) && !task.ran && !task.spent && open + numbers.size() < launchesMax) {
          task.spent = true;
          numbers.add(task.number);
          reasons.note(live.number, Reason.of(Reason.Code.NOT_AT_ONCE), List.of(), now);
        }
      }
    }
    return numbers;
  }
}
