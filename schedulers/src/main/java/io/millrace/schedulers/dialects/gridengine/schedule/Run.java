package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.Effort;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.OutsideLimits;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask.Phase;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck.FitOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Rules;
import io.millrace.schedulers.dialects.gridengine.schedule.load.HostLoads;
import io.millrace.schedulers.dialects.gridengine.schedule.load.PlannedCluster;
import io.millrace.schedulers.dialects.gridengine.schedule.load.QueueOrder;
import io.millrace.schedulers.dialects.gridengine.schedule.load.SchedConf;
import io.millrace.schedulers.dialects.gridengine.schedule.load.ThresholdRoom;
import io.millrace.schedulers.dialects.gridengine.schedule.search.ParallelSearch;
import io.millrace.schedulers.dialects.gridengine.schedule.search.SearchResult;
import io.millrace.schedulers.dialects.gridengine.schedule.search.SequentialSearch;
import io.millrace.schedulers.dialects.gridengine.schedule.search.SlotGathering;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob.Waits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One run over the waiting jobs. */
final class Run {

  private final ClusterState state;
  private final SchedConf policy;
  private final long now;
  private final PlannedCluster site;
  private final HostLoads loads;
  private final QueueOrder order;
  private final SearchResult.PlaceSearch sequential;
  private final SearchResult.PlaceSearch parallel;
  private final ScheduleSection section;
  private final RunReasons reasons;
  private final List<TaskDecision> starts = new ArrayList<>();
  private final List<TaskDecision> promises = new ArrayList<>();

  /** Categories by the properties that make jobs alike; for running jobs by their needs alone. */
  private final Map<Object, Category> categories = new HashMap<>();

  private final Map<String, Integer> jobsOfUser = new HashMap<>();
  private final Rules rules;
  private final long units;
  private int tried;
  private long dispatched;
  private boolean cut;

  /**
   * @param units work that the run may do; it ends early when they are used up
   */
  Run(ClusterState state, long now, long units) {
    this.state = state;
    this.units = units;
    this.policy = new SchedConf(state.scheduler());
    this.now = now;
    this.site = new PlannedCluster(state.cluster());
    this.loads = new HostLoads(state, site, policy, now);
    this.section = new ScheduleSection(policy);
    this.reasons = new RunReasons(policy);
    debitRunning();
    state.booked().forEach(site::book);
    loads.rank();
    this.order = new QueueOrder(state, site, policy, loads, usable());
    noteFull();
    FitCheck fitting = new FitCheck(site.global());
    this.rules = new Rules(state.cluster(), site.places());
    ThresholdRoom thresholds = new ThresholdRoom(site, loads, now);
    SlotGathering gathering = new SlotGathering(site, fitting, rules, order, thresholds);
    this.sequential = new SequentialSearch(site, fitting, rules, order);
    this.parallel = new ParallelSearch(state.cluster(), site, gathering, rules);
  }

  private void noteFull() {
    BitSet free = new BitSet();
    order.instances().forEach(place -> free.set(place.number()));
    for (Place place : site.places()) {
      if (!free.get(place.number()) && !reasons.knows(place)) {
        reasons.queue(Reason.of(Code.QUEUE_FULL, place.name()));
      }
    }
  }

  /**
   * Enters running tasks into the timeline. Suspended ones keep their resources; the file schedule
   * lists them after the others.
   */
  private void debitRunning() {
    Set<Long> counted = new HashSet<>();
    for (RunningTask task : state.running()) {
      if (task.phase() != Phase.SUSPENDED) {
        debit(task);
      }
      if (counted.add(task.job().number())) {
        jobsOfUser.merge(task.job().identity().owner(), 1, Integer::sum);
      }
    }
    state.running().stream().filter(task -> task.phase() == Phase.SUSPENDED).forEach(this::debit);
  }

  private void debit(RunningTask task) {
    Assignment running = planned(task);
    Category category = category(task.job().needs(), task.job());
    site.debit(category, running);
    if (section.wanted() || loads.countsUse()) {
      List<ResourceUse> uses = site.uses(category, running);
      loads.running(uses);
      section.add(task.job(), task.task(), task.phase().name(), running, uses);
    }
  }

  private Category category(Object alike, GridEngineJob job) {
    return categories.computeIfAbsent(
        alike, key -> new Category(job.needs(), policy.duration(job.needs()), site.attributes()));
  }

  /**
   * The assignment of a running task, prolonged to one schedule interval from now when it should
   * have ended.
   */
  private Assignment planned(RunningTask task) {
    Assignment given = task.assignment();
    long duration = policy.duration(task.job().needs(), given.grants());
    if (given.start() + duration <= now) {
      duration = now - given.start() + policy.interval();
    }
    return new Assignment(given.start(), duration, given.environment(), given.grants());
  }

  private List<Place> usable() {
    List<Place> usable = new ArrayList<>();
    for (Place place : site.places()) {
      Optional<String> overload = loads.overload(place);
      if (place.queue().suspended() || !place.queue().ambiguities().isEmpty()) {
        reasons.queue(Reason.of(Code.QUEUE_UNAVAILABLE, place.name()));
      } else if (place.queue().disabled()) {
        reasons.queue(Reason.of(Code.QUEUE_DISABLED, place.name()));
      } else if (overload.isPresent()) {
        reasons.queue(Reason.of(Code.QUEUE_OVERLOADED, place.name(), overload.get()));
      } else {
        usable.add(place);
      }
    }
    return usable;
  }

  Decisions decide() {
    Waitlist waitlist = new Waitlist(state, considered(), now);
    boolean begun = false;
    while (waitlist.first().isPresent()) {
      GridEngineJob job = waitlist.first().get();
      if (cut || outOfUnits()) {
        cut = true;
        reasons.job(job, Reason.of(Code.WORK_LIMIT));
        waitlist.dropJob();
      } else if (atUserLimit(job)) {
        reasons.job(job, Reason.of(Code.USER_LIMIT));
        waitlist.dropJob();
      } else {
        Optional<GridEngineJob> admitted = admitted(job, waitlist.task());
        if (admitted.isPresent()) {
          dispatch(waitlist, admitted.get(), begun);
          begun = true;
        } else {
          waitlist.dropJob();
        }
      }
    }
    return new Decisions(
        List.copyOf(starts),
        List.copyOf(promises),
        reasons.waiting(),
        reasons.queues(),
        section.lines(),
        new Effort(work(), cut, profile()));
  }

  /**
   * The job reduced to the slots that run limits leave to it; empty, with the reason noted, when
   * those are too few.
   */
  private Optional<GridEngineJob> admitted(GridEngineJob job, int task) {
    OutsideLimits admission = state.admission();
    int room = admission.slots(job, task, job.needs().mostSlots());
    Optional<GridEngineJob> admitted = job.atMost(room);
    if (admitted.isEmpty()) {
      reasons.job(job, admission.refusal(job, task, job.needs().leastSlots()));
    }
    return admitted;
  }

  private long work() {
    return rules.looked() + dispatched;
  }

  /**
   * True when the units of work are used up; false before the most important job was considered.
   */
  private boolean outOfUnits() {
    return tried > 0 && work() >= units;
  }

  /** The jobs that may start; the reasons of the others are noted. */
  private List<PendingJob> considered() {
    List<PendingJob> considered = new ArrayList<>();
    for (PendingJob pending : state.pending()) {
      GridEngineJob job = pending.job();
      if (job.behaviour().waits() == Waits.HELD) {
        reasons.job(job, Reason.of(Code.HELD));
      } else if (job.behaviour().waits() == Waits.DEPENDS) {
        reasons.job(job, Reason.of(Code.DEPENDS));
      } else if (job.behaviour().earliest_s() > now) {
        reasons.job(job, Reason.of(Code.TOO_EARLY));
      } else {
        considered.add(pending);
      }
    }
    return considered;
  }

  private boolean atUserLimit(GridEngineJob job) {
    int limit = policy.jobsPerUser();
    return limit > 0 && jobsOfUser.getOrDefault(job.identity().owner(), 0) >= limit;
  }

  private void dispatch(Waitlist waitlist, GridEngineJob job, boolean begun) {
    dispatched++;
    if (waitlist.atConcurrency()) {
      reasons.job(job, Reason.of(Code.TASK_LIMIT));
      waitlist.dropJob();
      return;
    }
    Category category = category(job.category(), job);
    boolean reserve = mayReserve(job, category) && !(begun && planningEnds(category));
    boolean start = category.refused().isEmpty();
    if (!start && !reserve) {
      reasons.job(job, category.refused().get());
      waitlist.dropJob();
      return;
    }
    tried++;
    PlacementAttempt attempt = new PlacementAttempt(job, waitlist.task(), category, reserve);
    FitOutcome outcome = place(attempt, start);
    if (outcome == FitOutcome.FITS) {
      waitlist.placed();
      return;
    }
    if (start) {
      category.refuse(RunReasons.of(attempt));
    }
    reasons.job(job, category.refused().get());
    if (outcome == FitOutcome.LATER && promises.size() < policy.promises()) {
      waitlist.placed();
    } else {
      if (outcome == FitOutcome.NEVER && reserve) {
        category.never();
      }
      waitlist.dropJob();
    }
  }

  /**
   * Whether this run makes no more plans for the category. Once no instance has a free slot nothing
   * can start, and plans are made again in the next run anyway. Exempt are sequential jobs that
   * wait for nothing but a slot, of which max_reservation are always promised one.
   */
  private boolean planningEnds(Category category) {
    return order.noneFree() && !category.slotOnly();
  }

  private boolean mayReserve(GridEngineJob job, Category category) {
    return promises.size() < policy.promises()
        && job.reserve()
        && !job.behaviour().immediate()
        && !category.neverLater();
  }

  /** FITS when the task was started, LATER when it was promised a start. */
  private FitOutcome place(PlacementAttempt attempt, boolean start) {
    SearchResult.PlaceSearch way = attempt.category().needs().parallel() ? parallel : sequential;
    if (attempt.reserve()) {
      order.includeFull();
    }
    SearchResult search = start ? way.now(attempt, now) : SearchResult.LATER;
    FitOutcome outcome = FitOutcome.NEVER;
    if (search.outcome() == FitOutcome.FITS) {
      start(attempt, search.assignment().orElseThrow());
      outcome = FitOutcome.FITS;
    } else if (search.outcome() == FitOutcome.LATER && attempt.reserve()) {
      attempt.silence();
      SearchResult later = way.earliest(attempt, now);
      later.assignment().ifPresent(promise -> promise(attempt, promise));
      outcome = later.assignment().isPresent() ? FitOutcome.LATER : FitOutcome.NEVER;
    }
    if (outcome == FitOutcome.FITS || attempt.reserve()) {
      order.settle().forEach(place -> reasons.queue(Reason.of(Code.QUEUE_FULL, place.name())));
      dropOverloaded();
    }
    return outcome;
  }

  private void start(PlacementAttempt attempt, Assignment assignment) {
    GridEngineJob job = attempt.job();
    TaskDecision start = debit(attempt, "STARTING", assignment);
    starts.add(start);
    order.occupy(assignment);
    jobsOfUser.merge(job.identity().owner(), 1, Integer::sum);
    if (loads.started(assignment, start.uses()) && loads.reorder()) {
      order.disturb();
    }
  }

  private void promise(PlacementAttempt attempt, Assignment assignment) {
    promises.add(debit(attempt, "RESERVING", assignment));
  }

  private TaskDecision debit(PlacementAttempt attempt, String what, Assignment assignment) {
    GridEngineJob job = attempt.job();
    site.debit(attempt.category(), assignment);
    List<ResourceUse> uses = site.uses(attempt.category(), assignment);
    section.add(job, attempt.task(), what, assignment, uses);
    state.admission().takes(job, attempt.task(), assignment.slots());
    return new TaskDecision(job.number(), attempt.task(), assignment, uses);
  }

  private void dropOverloaded() {
    if (policy.loadAdjustments().isEmpty()) {
      return;
    }
    for (Place place : List.copyOf(order.instances())) {
      Optional<String> overload = loads.overload(place);
      if (overload.isPresent()) {
        order.drop(place);
        reasons.queue(Reason.of(Code.QUEUE_OVERLOADED, place.name(), overload.get()));
      }
    }
  }

  private String profile() {
    return policy.profiles()
        ? String.format(
            "PROF: %d running, %d waiting, %d tried, %d started, %d reserved",
            state.running().size(), state.pending().size(), tried, starts.size(), promises.size())
        : "";
  }
}
