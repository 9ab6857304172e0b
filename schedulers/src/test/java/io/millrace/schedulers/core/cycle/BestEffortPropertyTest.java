package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schemas.SeedSource;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Random histories of two kinds of jobs: no node is given more than it has, nobody but best effort
 * gives way, the other jobs' state is that of a cluster without best effort, and two states that
 * are built anew are the same as those that followed.
 */
class BestEffortPropertyTest {

  private static final int STEPS = 400;
  private static final int CPUS = 8;
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final List<String> REQUESTS =
      List.of(
          "ncpus=1",
          "ncpus=2,walltime=60",
          "ncpus=5",
          "select=2:ncpus=2",
          "select=2:ncpus=6,place=scatter",
          "select=1:ncpus=1,place=excl",
          "select=3:ncpus=8,place=scatter,walltime=100");

  private static int histories;
  private static int gaveWayInAll;

  private Random random;
  private final List<ClusterObject> objects = new ArrayList<>();
  private final TreeMap<Long, Job> jobs = new TreeMap<>();
  private final TreeMap<Long, List<NodeShare>> running = new TreeMap<>();
  private final TreeSet<Long> ending = new TreeSet<>();

  private SchedulerState state = new SchedulerState("default", 0, new Easy(), 20);
  private BestEffort all = new BestEffort(state, 0, 20);

  /** Never hears of best effort. */
  private final SchedulerState without = new SchedulerState("default", 0, new Easy(), 20);

  private Instant now = Instant.ofEpochSecond(1_795_000_000);
  private long next = 1;
  private int gaveWay;

  @ParameterizedTest
  @SeedSource(
      value = {1, 2, 3, 4, 5, 6, 7, 8},
      night = 400)
  void bothKindsOfJobs(long seed) {
    random = new Random(seed);
    write(Records.scheduler());
    write(Records.queue("workq"));
    write(
        Records.object(
            ObjectKind.QUEUE,
            "be",
            "queue_type",
            "Execution",
            "started",
            "True",
            "best_effort",
            "True"));
    for (String name : NODES) {
      write(Records.object(ObjectKind.NODE, name));
      all.node(Records.node(name, "h" + name, CPUS, 1L << 40));
      without.facts().node(Records.node(name, "h" + name, CPUS, 1L << 40));
    }
    for (int step = 0; step < STEPS; step++) {
      act();
      round();
      if (step % 50 == 49) {
        settle();
        builtAnew();
      }
    }
    histories++;
    gaveWayInAll += gaveWay;
  }

  /** In one history few may have to; together they show that runs do give way. */
  @AfterAll
  static void runsGaveWay() {
    assertTrue(
        gaveWayInAll > 10 * histories,
        gaveWayInAll + " runs gave way in " + histories + " histories");
  }

  private void write(ClusterObject object) {
    objects.add(object);
    all.written(object);
    if (!object.getName().equals("be")) {
      without.facts().written(object);
    }
  }

  private boolean isBestEffort(long number) {
    return jobs.get(number).getSpec().getQueue().equals("be");
  }

  private void act() {
    now = now.plusSeconds(random.nextInt(20));
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> submit("be");
      case 3, 4 -> submit("workq");
      case 5 -> any(new ArrayList<>(running.keySet()), this::over);
      case 6 -> any(waiting(), this::over);
      case 7 -> any(waiting(), this::hold);
      case 8 -> any(waiting(), this::move);
      default -> any(new ArrayList<>(ending), this::ended);
    }
  }

  private void any(List<Long> from, LongConsumer act) {
    if (!from.isEmpty()) {
      act.accept(from.get(random.nextInt(from.size())));
    }
  }

  private List<Long> waiting() {
    List<Long> waiting = new ArrayList<>(jobs.keySet());
    waiting.removeAll(running.keySet());
    return waiting;
  }

  private void submit(String queue) {
    if (waiting().size() > 25) {
      return;
    }
    long number = next++;
    String request = REQUESTS.get(random.nextInt(REQUESTS.size()));
    jobs.put(number, Records.job(number, queue, 0, request));
    all.job(jobs.get(number));
    if (!isBestEffort(number)) {
      without.facts().job(jobs.get(number));
    }
  }

  private void over(long number) {
    boolean other = !isBestEffort(number);
    jobs.remove(number);
    running.remove(number);
    ending.remove(number);
    all.gone(number);
    if (other) {
      without.facts().gone(number);
    }
  }

  /** A run that had to give way is over, or its job waits again. */
  private void ended(long number) {
    if (random.nextBoolean()) {
      over(number);
      return;
    }
    running.remove(number);
    ending.remove(number);
    Job job = jobs.get(number);
    job.setStatus(JobStatus.QUEUED);
    job.setKilling(KillPurpose.NONE);
    job.setAllocation(null);
    all.requeued(number);
  }

  private void hold(long number) {
    Job job = jobs.get(number);
    boolean on = job.getHolds().equals("n");
    job.setHolds(on ? "u" : "n");
    job.setStatus(on ? JobStatus.HELD : JobStatus.QUEUED);
    all.holds(number, job.getHolds());
    if (!isBestEffort(number)) {
      without.facts().holds(number, job.getHolds());
    }
  }

  private void move(long number) {
    Job job = jobs.get(number);
    String to = isBestEffort(number) ? "workq" : "be";
    job.getSpec().setQueue(to);
    job.setRank(next++);
    all.moved(number, to, job.getRank());
    if (to.equals("workq")) {
      without.facts().job(job);
    } else {
      without.facts().gone(number);
    }
  }

  private void round() {
    long nowMs = now.toEpochMilli();
    CycleDecisions decided =
        state.workDue(nowMs) ? Cycle.run(state, now, 100_000) : CycleDecisions.none(now);
    BestEffort.BestEffortOutcome round = all.round(decided.starts(), now, 100_000);
    for (Preempt stop : round.stops()) {
      assertTrue(isBestEffort(stop.jobNumber()) && !isBestEffort(stop.forNumber()));
    }
    for (Start start : round.starts()) {
      if (random.nextInt(15) == 0) {
        all.withdraw(start.jobNumber());
      } else {
        grant(start, nowMs);
      }
    }
    for (Preempt stop : round.stops()) {
      stop(stop.jobNumber(), nowMs);
    }
  }

  private void stop(long number, long nowMs) {
    if (!running.containsKey(number) || random.nextInt(15) == 0) {
      all.notStopped(number);
      return;
    }
    gaveWay++;
    ending.add(number);
    jobs.get(number).setKilling(KillPurpose.DELETE);
    jobs.get(number).setModifiedMs(nowMs);
    all.ending(number, nowMs);
  }

  private void grant(Start start, long nowMs) {
    long number = start.jobNumber();
    assertTrue(jobs.get(number).getHolds().equals("n"), "a job that may start: " + number);
    running.put(number, start.shares());
    for (String node : NODES) {
      assertTrue(cpus(node) <= CPUS, node + " has " + cpus(node) + " in use with " + number);
      assertTrue(on(node).size() < 2 || !exclusive(node), node + " is not shared with " + number);
    }
    Job job = jobs.get(number);
    job.setStatus(JobStatus.RUNNING);
    job.setStartedMs(nowMs);
    job.setAllocation(Records.allocation(start.shares()));
    all.granted(number, job.getAllocation(), nowMs);
    if (!isBestEffort(number)) {
      without.facts().granted(number, job.getAllocation(), nowMs);
    }
  }

  private long cpus(String node) {
    return running.values().stream()
        .flatMap(List::stream)
        .filter(it -> it.getNode().equals(node))
        .mapToLong(it -> it.getAmounts().get("ncpus"))
        .sum();
  }

  private List<Long> on(String node) {
    List<Long> on = new ArrayList<>(running.keySet());
    on.removeIf(it -> running.get(it).stream().noneMatch(s -> s.getNode().equals(node)));
    return on;
  }

  private boolean exclusive(String node) {
    return on(node).stream()
        .anyMatch(it -> jobs.get(it).getSpec().getRequest().getPlace().contains("excl"));
  }

  /** Until nothing is on its way. */
  private void settle() {
    for (int i = 0; i < 100 && (all.waitingStarts() > 0 || !ending.isEmpty() || i == 0); i++) {
      List.copyOf(ending).forEach(this::ended);
      now = now.plusSeconds(1);
      round();
    }
    assertEquals(0, all.waitingStarts());
  }

  private void builtAnew() {
    assertEquals(
        without.totals().freeNow(),
        state.totals().freeNow(),
        "free, as if there were no best effort");
    SchedulerState fresh = new SchedulerState("default", 0, new Easy(), 20);
    BestEffort built = new BestEffort(fresh, 0, 20);
    objects.forEach(built::written);
    for (String name : NODES) {
      Node node = Records.node(name, "h" + name, CPUS, 1L << 40);
      running.forEach((number, shares) -> hold(node, number, shares));
      built.node(node);
    }
    jobs.values().forEach(built::job);
    all.due(now.toEpochMilli());
    built.due(now.toEpochMilli());
    assertEquals(state.totals().freeNow(), fresh.totals().freeNow());
    assertEquals(all.rest().totals().freeNow(), built.rest().totals().freeNow());
    assertEquals(state.waiting().jobCount(), fresh.waiting().jobCount());
    assertEquals(all.rest().waiting().jobCount(), built.rest().waiting().jobCount());
    assertEquals(state.waiting().waitingClasses(), fresh.waiting().waitingClasses());
    assertEquals(all.rest().waiting().waitingClasses(), built.rest().waiting().waitingClasses());
    long free = NODES.stream().mapToLong(it -> exclusive(it) ? 0 : CPUS - cpus(it)).sum();
    assertEquals(free, all.rest().totals().freeNow().get("ncpus"));
  }

  private static void hold(Node node, long number, List<NodeShare> shares) {
    for (NodeShare share : shares) {
      if (share.getNode().equals(node.getName())) {
        node.getHoldings()
            .add(
                new Holding(
                    number + ".vm", number, 1, share.getAmounts(), share.getChunks(), 0, false));
      }
    }
  }
}
