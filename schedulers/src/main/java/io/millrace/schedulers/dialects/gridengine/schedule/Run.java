package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.Job.Waits;
import io.millrace.schedulers.dialects.gridengine.schedule.Decisions.Decision;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Outcome;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One run over the waiting jobs. */
final class Run {

  private final ClusterState state;
  private final Policy policy;
  private final long now;
  private final Containers containers;
  private final HostLoads loads;
  private final QueueOrder order;
  private final Search.Way sequential;
  private final Search.Way parallel;
  private final Section section;
  private final Reasons reasons;
  private final List<Decision> starts = new ArrayList<>();
  private final List<Decision> promises = new ArrayList<>();
  private final Map<Object, Attempt> refused = new HashMap<>();
  private final Set<Object> neverLater = new HashSet<>();
  private final Map<String, Integer> jobsOfUser = new HashMap<>();
  private int tried;

  Run(ClusterState state, long now) {
    this.state = state;
    this.policy = new Policy(state.scheduler());
    this.now = now;
    this.containers = new Containers(state.cluster());
    this.loads = new HostLoads(state, policy, now);
    this.section = new Section(policy);
    this.reasons = new Reasons(policy);
    debitRunning();
    loads.rank(containers.hostNames());
    this.order = new QueueOrder(state, policy, loads, usable());
    state.cluster().queues().stream()
        .filter(queue -> !order.instances().contains(queue) && !reasons.knows(queue))
        .forEach(queue -> reasons.queue(Reason.of(Code.QUEUE_FULL, queue.name())));
    Fitting fitting = new Fitting(state.cluster().complexes());
    Rules rules = new Rules(state.cluster());
    Harvest harvest = new Harvest(state.cluster(), containers, fitting, rules, order);
    this.sequential = new SequentialSearch(containers, fitting, rules, order);
    this.parallel = new ParallelSearch(state.cluster(), containers, harvest, rules, order);
  }

  private void debitRunning() {
    for (RunningTask task : state.running()) {
      Assignment running = planned(task);
      List<Use> uses = containers.debit(task.job().needs(), running);
      section.add(task.job(), task.task(), task.phase().name(), running, uses);
    }
    state.running().stream()
        .map(task -> task.job().identity())
        .distinct()
        .forEach(job -> jobsOfUser.merge(job.owner(), 1, Integer::sum));
  }

  /** A task that should have ended is taken to end one interval from now. */
  private Assignment planned(RunningTask task) {
    Assignment given = task.assignment();
    long duration = policy.duration(task.job().needs(), given.grants());
    if (given.start() + duration <= now) {
      duration = now - given.start() + policy.interval();
    }
    return new Assignment(given.start(), duration, given.environment(), given.grants());
  }

  private List<QueueInstance> usable() {
    List<QueueInstance> usable = new ArrayList<>();
    for (QueueInstance queue : state.cluster().queues()) {
      Optional<String> overload = loads.overload(queue);
      if (queue.disabled()) {
        reasons.queue(Reason.of(Code.QUEUE_DISABLED, queue.name()));
      } else if (overload.isPresent()) {
        reasons.queue(Reason.of(Code.QUEUE_OVERLOADED, queue.name(), overload.get()));
      } else {
        usable.add(queue);
      }
    }
    return usable;
  }

  Decisions decide() {
    Waitlist waitlist = new Waitlist(state, considered(), now);
    boolean begun = false;
    while (waitlist.first().isPresent()) {
      Job job = waitlist.first().get();
      if (atUserLimit(job)) {
        reasons.job(job, Reason.of(Code.USER_LIMIT));
        waitlist.dropJob();
      } else {
        dispatch(waitlist, job, begun);
        begun = true;
      }
    }
    return new Decisions(
        List.copyOf(starts),
        List.copyOf(promises),
        reasons.waiting(),
        reasons.queues(),
        section.lines(),
        profile());
  }

  /** Jobs that may start; the others' reasons are noted. */
  private List<PendingJob> considered() {
    List<PendingJob> considered = new ArrayList<>();
    for (PendingJob pending : state.pending()) {
      Job job = pending.job();
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

  private boolean atUserLimit(Job job) {
    int limit = policy.jobsPerUser();
    return limit > 0 && jobsOfUser.getOrDefault(job.identity().owner(), 0) >= limit;
  }

  private void dispatch(Waitlist waitlist, Job job, boolean begun) {
    Object category = job.category();
    if (waitlist.atConcurrency()) {
      reasons.job(job, Reason.of(Code.TASK_LIMIT));
      waitlist.dropJob();
      return;
    }
    boolean reserve = mayReserve(job) && !(begun && planningEnds(job));
    boolean start = !refused.containsKey(category);
    if (!start && !reserve) {
      reasons.job(job, refused.get(category));
      waitlist.dropJob();
      return;
    }
    tried++;
    Attempt attempt = new Attempt(job, waitlist.task(), policy.duration(job.needs()));
    Outcome outcome = place(attempt, start, reserve);
    if (outcome == Outcome.FITS) {
      waitlist.started();
    } else {
      reasons.job(job, start ? attempt : refused.get(category));
      refused.putIfAbsent(category, attempt);
      if (outcome == Outcome.LATER && promises.size() < policy.promises()) {
        waitlist.promised();
      } else {
        neverLater.add(outcome == Outcome.NEVER && reserve ? category : job);
        waitlist.dropJob();
      }
    }
  }

  /**
   * Once no instance has a free slot nothing can start, and plans are made anew in the next run: no
   * more of them are made, but for sequential jobs that wait for nothing else than a slot, of which
   * max_reservation are always promised one.
   */
  private boolean planningEnds(Job job) {
    boolean slotOnly =
        !job.needs().parallel()
            && job.needs().hard().stream().noneMatch(request -> request.complex().consumable());
    return order.noneFree() && !slotOnly;
  }

  private boolean mayReserve(Job job) {
    return promises.size() < policy.promises()
        && job.reserve()
        && !job.behaviour().immediate()
        && !neverLater.contains(job.category());
  }

  /** FITS when it was started, LATER when it was promised a start. */
  private Outcome place(Attempt attempt, boolean start, boolean reserve) {
    Search.Way way = attempt.job().needs().parallel() ? parallel : sequential;
    if (reserve) {
      order.includeFull();
    }
    Search search = start ? way.now(attempt, now) : Search.LATER;
    Outcome outcome = Outcome.NEVER;
    if (search.outcome() == Outcome.FITS) {
      start(attempt, search.assignment().orElseThrow());
      outcome = Outcome.FITS;
    } else if (search.outcome() == Outcome.LATER && reserve) {
      attempt.silence();
      Search later = way.earliest(attempt, now);
      later.assignment().ifPresent(promise -> promise(attempt, promise));
      outcome = later.assignment().isPresent() ? Outcome.LATER : Outcome.NEVER;
    }
    if (outcome == Outcome.FITS || reserve) {
      order.settle().forEach(queue -> reasons.queue(Reason.of(Code.QUEUE_FULL, queue.name())));
      dropOverloaded();
    }
    return outcome;
  }

  private void start(Attempt attempt, Assignment assignment) {
    Job job = attempt.job();
    List<Use> uses = containers.debit(job.needs(), assignment);
    section.add(job, attempt.task(), "STARTING", assignment, uses);
    starts.add(new Decision(job.number(), attempt.task(), assignment, uses));
    order.occupy(assignment);
    jobsOfUser.merge(job.identity().owner(), 1, Integer::sum);
    loads.started(assignment, 1);
    if (loads.rank(containers.hostNames())) {
      order.disturb();
    }
  }

  private void promise(Attempt attempt, Assignment assignment) {
    Job job = attempt.job();
    List<Use> uses = containers.debit(job.needs(), assignment);
    section.add(job, attempt.task(), "RESERVING", assignment, uses);
    promises.add(new Decision(job.number(), attempt.task(), assignment, uses));
  }

  private void dropOverloaded() {
    if (policy.loadAdjustments().isEmpty()) {
      return;
    }
    for (QueueInstance queue : order.instances()) {
      Optional<String> overload = loads.overload(queue);
      if (overload.isPresent()) {
        order.drop(queue);
        reasons.queue(Reason.of(Code.QUEUE_OVERLOADED, queue.name(), overload.get()));
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
