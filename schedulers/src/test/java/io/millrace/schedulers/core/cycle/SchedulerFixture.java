package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A shard in a test: its objects, and a scheduler's state that is told of each change. A second
 * state can be built from the objects, as by an engine that starts now.
 */
final class SchedulerFixture {

  static final int SHARD = 0;
  static final int PROPOSALS_MAX = 7;
  private static final String SCHEDULER = "default";

  private Policy policy;
  private Map<String, String> outside = Map.of();
  final TreeMap<String, ClusterObject> objects = new TreeMap<>();
  final TreeMap<String, Node> nodes = new TreeMap<>();
  final TreeMap<Long, Job> jobs = new TreeMap<>();
  final TreeMap<Long, List<NodeShare>> running = new TreeMap<>();

  final TreeMap<Long, Reservation> reservations = new TreeMap<>();

  /** Runs that were given a later end than they had when they began or went on. */
  final TreeSet<Long> prolonged = new TreeSet<>();

  /** The ends of runs that went on, as they were proposed. */
  private final Map<Long, Long> proposedEnds = new HashMap<>();

  /** Keys of classes that are in back-off. */
  final TreeSet<String> paused = new TreeSet<>();

  SchedulerState state;
  Instant now;

  /** Of which kind of facts the next one is kept from the state: a planted fault. */
  Predicate<Object> missed = fact -> false;

  SchedulerFixture(Policy policy, Instant begin) {
    this.policy = policy;
    this.now = begin;
    this.state = empty();
  }

  private SchedulerState empty() {
    SchedulerState empty = new SchedulerState(SCHEDULER, SHARD, policy, PROPOSALS_MAX);
    if (policy.site() != null) {
      empty.inputs().standard(policy);
    }
    empty.inputs().outside(outside);
    return empty;
  }

  long nowMs() {
    return now.toEpochMilli();
  }

  /** A cluster object; null when there is none. The queue of a reservation is a view of it. */
  ClusterObject object(ObjectKind kind, String name) {
    Reservation its = kind == ObjectKind.QUEUE ? reservationOf(name) : null;
    return its == null
        ? objects.get(kind + "/" + name)
        : Records.object(kind, name, "partition", its.getSpec().getPartition());
  }

  /** The reservation of a queue; null when it is none. */
  Reservation reservationOf(String queue) {
    for (Reservation it : reservations.values()) {
      if (it.getQueue().equals(queue)) {
        return it;
      }
    }
    return null;
  }

  /** True for a job in the queue of a reservation. */
  boolean inside(long number) {
    return reservationOf(jobs.get(number).getSpec().getQueue()) != null;
  }

  /** A reservation as it is after a change. */
  void reserve(Reservation now) {
    if (now.getState() == ReservationState.FINISHED) {
      reservations.remove(now.getNumber());
    } else {
      reservations.put(now.getNumber(), now);
    }
    if (hears(now)) {
      state.facts().reservation(now);
    }
  }

  private boolean hears(Object fact) {
    boolean misses = missed.test(fact);
    missed = misses ? other -> false : missed;
    return !misses;
  }

  /** What a node has of a resource. */
  long capacity(String node, String resource) {
    if (NodeAmounts.withoutLimit(resource)) {
      return 1L << 40;
    }
    return resource.equals("lic")
        ? RandomFacts.LICENSES
        : nodes.get(node).getMeasured().get(resource);
  }

  boolean runs(long number) {
    return running.containsKey(number);
  }

  boolean standsStill(long number) {
    Job job = jobs.get(number);
    return job != null && job.getSuspension() != Suspension.NONE;
  }

  /**
   * A running job with the request that corresponds to its grant: the number of chunks granted,
   * where all are of one kind.
   */
  JobSpec asGranted(long number) {
    JobSpec spec = jobs.get(number).getSpec();
    ResourceRequest asked = spec.getRequest();
    if (asked.getChunks().size() != 1) {
      return spec;
    }
    int given = running.get(number).stream().mapToInt(NodeShare::getChunks).sum();
    Chunk one = asked.getChunks().get(0);
    List<Chunk> chunks = List.of(new Chunk(given, one.getAmounts(), one.getMatches()));
    return JobSpec.newBuilder(spec)
        .setRequest(
            new ResourceRequest(chunks, asked.getPlace(), asked.getWalltimeS(), asked.getJobWide()))
        .build();
  }

  boolean busy(String node) {
    return booked(node)
        || running.values().stream()
            .anyMatch(shares -> shares.stream().anyMatch(it -> it.getNode().equals(node)));
  }

  boolean booked(String node) {
    return reservations.values().stream()
        .flatMap(one -> BookedTime.of(one).stream())
        .anyMatch(one -> one.booked().stream().anyMatch(it -> it.getNode().equals(node)));
  }

  void write(ClusterObject object) {
    objects.put(object.getKind() + "/" + object.getName(), object);
    Node node = nodes.get(object.getName());
    if (object.getKind() == ObjectKind.NODE && node != null && node.getOfferedTo() == SHARD) {
      // The change that the node was closed for has arrived.
      nodes.put(node.getName(), Node.newBuilder(node).setOfferedTo(-1).build());
    }
    state.facts().written(object);
  }

  void delete(ObjectKind kind, String name) {
    objects.remove(kind + "/" + name);
    if (kind == ObjectKind.NODE) {
      nodes.remove(name);
    }
    state.facts().deleted(kind, name);
  }

  /** A node that was handed over to this shard. */
  void accept(Node node) {
    nodes.put(node.getName(), node);
    state.facts().node(node);
  }

  void nodeUp(String name, Map<String, Long> measured) {
    Node node = Node.newBuilder(nodes.get(name)).setUp(true).setMeasured(measured).build();
    nodes.put(name, node);
    state.facts().nodeUp(name, node.getHost(), measured);
  }

  void offer(String node, int to) {
    nodes.put(node, Node.newBuilder(nodes.get(node)).setOfferedTo(to).build());
    state.facts().nodeOffered(node, to);
  }

  void close(String node) {
    nodes.put(node, Node.newBuilder(nodes.get(node)).setOfferedTo(SHARD).build());
    state.facts().nodeClosing(node);
  }

  void lose(String node) {
    nodes.remove(node);
    state.facts().nodeGone(node);
  }

  void submit(Job job) {
    jobs.put(job.getNumber(), job);
    state.facts().job(job);
  }

  void gone(long number) {
    running.remove(number);
    jobs.remove(number);
    state.facts().gone(number);
  }

  /** Suspends a run, which frees what it held. */
  void suspend(long number, boolean resumable) {
    Job job = jobs.get(number);
    List<NodeShare> shares = running.remove(number);
    job.setRanMs(Resumption.ranMs(job, nowMs()));
    job.setSuspension(resumable ? Suspension.RESUMABLE : Suspension.OPERATOR);
    job.setAllocation(Records.allocation(shares));
    job.setRun(1);
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(shares);
    fact.setRanMs(job.getRanMs());
    fact.setSuspension(job.getSuspension());
    state.facts().suspended(number, fact);
  }

  void makeResumable(Job job) {
    job.setSuspension(Suspension.RESUMABLE);
    state.facts().resumable(job.getNumber());
  }

  /** Resumes a suspended run with what it held. */
  void resumeRun(long number) {
    Job job = jobs.get(number);
    job.setSuspension(Suspension.NONE);
    job.setResumedMs(nowMs());
    running.put(number, job.getAllocation().getShares());
    prolonged.remove(number);
    proposedEnds.put(number, state.books().holdings().endMs(number));
    state.facts().resumed(number, nowMs());
  }

  /** Tells the run of a job to end. */
  void end(Job job) {
    job.setKilling(KillPurpose.DELETE);
    state.facts().ending(job.getNumber(), nowMs());
  }

  void requeue(long number) {
    running.remove(number);
    Job job = jobs.get(number);
    job.setSuspension(Suspension.NONE);
    job.setKilling(KillPurpose.NONE);
    job.setRanMs(0L);
    job.setResumedMs(-1L);
    job.setStartedMs(-1L);
    job.setBookedLimitS(0L);
    job.setStatus(job.getHolds().equals("n") ? JobStatus.QUEUED : JobStatus.HELD);
    state.facts().requeued(number);
  }

  /** Tells a run to end, which it does later. */
  void kill(long number) {
    Job job = jobs.get(number);
    if (job.getKilling() == KillPurpose.NONE) {
      job.setKilling(KillPurpose.RERUN);
      job.setModifiedMs(nowMs());
    }
    state.facts().ending(number, nowMs());
  }

  boolean killed(long number) {
    return jobs.get(number).getKilling() != KillPurpose.NONE;
  }

  void hold(Job job, boolean on) {
    job.setHolds(on ? "u" : "n");
    if (!runs(job.getNumber()) && !standsStill(job.getNumber())) {
      job.setStatus(on ? JobStatus.HELD : JobStatus.QUEUED);
    }
    state.facts().holds(job.getNumber(), job.getHolds());
  }

  void offer(Job job, int to) {
    job.setOfferedTo(to);
    state.facts().transit(job.getNumber(), to >= 0);
  }

  /** Its walltime is asked for again, be it the same, or not. */
  void alter(Job job, JobSpec spec, boolean askedAnew) {
    long number = job.getNumber();
    long endMs = state.books().holdings().endMs(number);
    if (askedAnew) {
      job.setBookedLimitS(0L);
    }
    job.setSpec(spec);
    state.facts().altered(number, spec, askedAnew);
    if (runs(number) && state.books().holdings().endMs(number) > endMs) {
      prolonged.add(number);
    }
  }

  void move(Job job, String queue, long rank) {
    job.setRank(rank);
    job.setSpec(JobSpec.newBuilder(job.getSpec()).setQueue(queue).build());
    state.facts().moved(job.getNumber(), queue, rank);
  }

  void grant(long number, List<NodeShare> shares) {
    running.put(number, shares);
    prolonged.remove(number);
    proposedEnds.remove(number);
    Job job = jobs.get(number);
    job.setStartedMs(nowMs());
    job.setSessionId(0L);
    job.setBookedLimitS(0L);
    job.setStatus(JobStatus.RUNNING);
    job.setAllocation(Records.allocation(shares));
    state.facts().granted(number, Records.allocation(shares), nowMs());
  }

  /** A run has begun, not before it was granted: it lasts longer than was thought. */
  void begin(Job job, long beganMs) {
    job.setSessionId(1L);
    boolean resumed = job.getResumedMs() >= 0;
    if (beganMs > (resumed ? job.getResumedMs() : job.getStartedMs())) {
      prolonged.add(job.getNumber());
    }
    job.setStartedMs(beganMs);
    if (resumed) {
      job.setResumedMs(Math.max(beganMs, job.getResumedMs()));
    }
    if (hears(job)) {
      state.facts().began(job.getNumber(), beganMs);
    }
  }

  /** A run that has begun lasts so long and no longer. */
  void shorten(Job job, long limitS) {
    job.setBookedLimitS(limitS);
    state.facts().shortened(job.getNumber(), job.getStartedMs(), limitS);
  }

  void pause(long number) {
    paused.add(state.answers().backOff(number, "15999", true, nowMs()));
  }

  void resume(String key) {
    paused.remove(key);
    state.answers().endBackOff(key);
  }

  /** Others than its attributes say what the server has of resources. */
  void outside(Map<String, String> amounts) {
    outside = amounts;
    state.inputs().outside(amounts);
  }

  /** Sets the policy that holds while the scheduler object names none. */
  void standard(Policy other) {
    policy = other;
    state.inputs().standard(other);
  }

  /** Replaces the engine by a new one. */
  void restart() {
    state = rebuilt();
  }

  /** A state built as by an engine that starts now and takes over the promises of the old one. */
  SchedulerState rebuilt() {
    SchedulerState fresh = empty();
    objects.values().forEach(fresh.facts()::written);
    nodes.values().forEach(node -> fresh.facts().node(withHoldings(node)));
    jobs.values().forEach(fresh.facts()::job);
    reservations.values().forEach(fresh.facts()::reservation);
    running.keySet().forEach(it -> expect(fresh, it));
    jobs.keySet().stream()
        .filter(this::pausing)
        .forEach(it -> fresh.answers().backOff(it, "", true, nowMs()));
    state
        .books()
        .preemption()
        .claims()
        .forEach(it -> fresh.books().claims().adopt(it, it.held().shares(state.books().names())));
    state
        .promises()
        .forEach(
            it -> fresh.books().promiseFacts().adopt(it.jobNumber(), it.fromMs(), it.shares()));
    return fresh;
  }

  /**
   * The end of a run after which others may be promised its nodes. One that went on is started for
   * the time that it was promised, if that is a moment ago, and its end is known to be that much
   * later only when it has gone on: then the next cycle moves the promises.
   */
  long promisedAfterMs(long run) {
    long endMs = state.books().holdings().endMs(run);
    long proposedMs = proposedEnds.getOrDefault(run, endMs);
    return endMs - proposedMs <= AllocationBook.OVERRUN_MS ? Math.min(endMs, proposedMs) : endMs;
  }

  /**
   * Until a run is told to have begun its end is that of the proposal, one that is told to end is
   * expected to be gone soon, and one that has passed its end a moment later. The end of each other
   * follows from the records.
   */
  private void expect(SchedulerState fresh, long run) {
    long endMs = state.books().holdings().endMs(run);
    boolean over = fresh.books().holdings().endMs(run) <= nowMs();
    if (jobs.get(run).getSessionId() == 0 || over || killed(run)) {
      fresh.books().jobFacts().expect(run, endMs);
    }
    assertEquals(endMs, fresh.books().holdings().endMs(run), () -> "end of " + jobs.get(run));
  }

  private boolean pausing(long number) {
    return state.books().book().classOf(state.books().book().jobs().find(number)).backingOff();
  }

  private Node withHoldings(Node node) {
    List<Holding> holdings = new ArrayList<>();
    running.forEach(
        (number, shares) ->
            shares.stream()
                .filter(it -> it.getNode().equals(node.getName()))
                .map(
                    it ->
                        new Holding(
                            number + ".vm", number, 1, it.getAmounts(), it.getChunks(), 0, false))
                .forEach(holdings::add));
    return Node.newBuilder(node).setHoldings(holdings).build();
  }

  /** What a cycle has decided, a line each. */
  static List<String> decided(CycleDecisions decisions) {
    List<String> lines = new ArrayList<>();
    decisions.starts().forEach(it -> lines.add(it.jobNumber() + " " + it.shares()));
    decisions.preempted().forEach(it -> lines.add(it.toString()));
    return lines;
  }
}
