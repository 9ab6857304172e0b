package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs of a trace's jobs start at the same second whether all that they leave is full of best
 * effort or not; by day a part of each trace, by night all of it.
 */
class BestEffortSimulationTest {

  /** By day; the larger machine has a trace whose jobs last for days. */
  private static final int JOBS_OF_SMALLEST = 700;

  private static final int JOBS_OF_OTHERS = 250;

  @ParameterizedTest
  @CsvSource({
    "KTH-SP2-1996-2.1-cln, easy",
    "KTH-SP2-1996-2.1-cln, conservative",
    "KTH-SP2-1996-2.1-cln, strict",
    "KTH-SP2-1996-2.1-cln, preemption",
    "SDSC-BLUE-2000-4.2-cln, easy",
    "SDSC-BLUE-2000-4.2-cln, conservative",
    "SDSC-BLUE-2000-4.2-cln, strict",
    "SDSC-BLUE-2000-4.2-cln, preemption"
  })
  void runsStartAtTheSameSecond(String trace, String policy) throws IOException {
    Workload all = Traces.archived(trace);
    int byDay = trace.equals(Traces.SMALLEST) ? JOBS_OF_SMALLEST : JOBS_OF_OTHERS;
    int most = Seeds.NIGHT ? Integer.MAX_VALUE : byDay;
    List<TraceJob> jobs = all.jobs().subList(0, Math.min(most, all.jobs().size()));
    Workload part = new Workload(all.processors(), all.startEpochS(), jobs, all.findings());
    Machine without = new Machine(part, policy, 0);
    without.run();
    Machine with = new Machine(part, policy, Seeds.TODAY);
    with.run();
    assertEquals(without.starts, with.starts);
    assertTrue(with.ended > 20, "best-effort runs gave way: " + with.ended);
    if (policy.equals("preemption")) {
      assertTrue(without.starts.size() > jobs.size(), "some were preempted by others too");
    }
  }

  /** What happens at a second: the end of a run. */
  private record End(long atS, long number, int run) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = Long.compare(atS, other.atS);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private static final class Machine {
    /** Numbers of best-effort jobs begin here. */
    private static final long BEST_EFFORT = 1L << 40;

    private static final int WAITING = 4;

    private final Workload workload;
    private final boolean preemption;
    private final SchedulerState state =
        new SchedulerState("default", 0, Policies.STANDARD, Integer.MAX_VALUE);
    private final BestEffort all = new BestEffort(state, 0, Integer.MAX_VALUE);
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final Map<Long, Integer> runs = new HashMap<>();
    private final Map<Long, Integer> sizes = new HashMap<>();
    private final Random random;
    private final List<String> starts = new ArrayList<>();
    private long next = BEST_EFFORT;
    private int waiting;
    private int ended;
    private int used;
    private int submitted;

    /**
     * @param seed of the best-effort load; 0 for none
     */
    Machine(Workload workload, String policy, long seed) {
      this.workload = workload;
      this.preemption = policy.equals("preemption");
      this.random = seed == 0 ? null : new Random(seed);
      List<Attribute> attributes = new ArrayList<>();
      if (preemption) {
        attributes.add(new Attribute("preempt_order", "R"));
      } else {
        attributes.addAll(SimulatedPolicy.named(policy).orElseThrow().attributes());
      }
      attributes.add(new Attribute("scheduling", "True"));
      all.written(new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, attributes, 1L));
      queue("workq");
      queue("express", "Priority", "150");
      if (random != null) {
        queue("be", "best_effort", "True", "kill_delay", "0");
      }
      all.written(Records.object(ObjectKind.NODE, "machine"));
      Node node = Records.node("machine", "machine", workload.processors(), 1L << 50);
      all.node(node);
    }

    private void queue(String name, String... pairs) {
      List<String> attributes = new ArrayList<>(List.of(pairs));
      attributes.addAll(List.of("queue_type", "Execution", "started", "True"));
      all.written(Records.object(ObjectKind.QUEUE, name, attributes.toArray(String[]::new)));
    }

    void run() {
      List<TraceJob> jobs = workload.jobs();
      long left = jobs.size();
      while (left > 0) {
        long nowS = nextS();
        while (!ends.isEmpty() && ends.peek().atS <= nowS) {
          End end = ends.poll();
          if (runs.getOrDefault(end.number, 0) == end.run) {
            left -= end.number < BEST_EFFORT ? 1 : 0;
            gone(end.number);
          }
        }
        while (submitted < jobs.size() && jobs.get(submitted).submitS() <= nowS) {
          submit(submitted++);
        }
        while (rounds(nowS)) {
          continue;
        }
      }
    }

    private long nextS() {
      long nextS = ends.isEmpty() ? Long.MAX_VALUE : ends.peek().atS;
      if (submitted < workload.jobs().size()) {
        nextS = Math.min(nextS, workload.jobs().get(submitted).submitS());
      }
      long promiseMs = state.nextPromiseMs();
      return promiseMs == Long.MAX_VALUE
          ? nextS
          : Math.min(nextS, Math.floorDiv(promiseMs, 1000) - workload.startEpochS());
    }

    private void gone(long number) {
      used -= sizes.remove(number);
      runs.remove(number);
      all.gone(number);
    }

    private void submit(int index) {
      TraceJob job = workload.jobs().get(index);
      String queue = preemption && job.user() % 4 == 0 ? "express" : "workq";
      add(index, queue, job.processors(), job.estimateS());
    }

    private void add(long number, String queue, int processors, long estimateS) {
      String request = "select=" + processors + ":ncpus=1,walltime=" + estimateS;
      all.job(Records.job(number, queue, 0, request));
    }

    /** One cycle and its round; false when nothing was due. */
    private boolean rounds(long nowS) {
      Instant now = Instant.ofEpochSecond(workload.startEpochS() + nowS);
      long nowMs = now.toEpochMilli();
      while (random != null && waiting < WAITING) {
        waiting++;
        int size = 1 + random.nextInt(Math.max(4, workload.processors() / 16));
        add(next++, "be", size, 60 + random.nextInt(40_000));
      }
      boolean due = state.workDue(nowMs);
      if (!due && !all.due(nowMs)) {
        return false;
      }
      CycleDecisions decided =
          due ? Cycle.run(state, now, Long.MAX_VALUE) : CycleDecisions.none(now);
      BestEffort.BestEffortOutcome round = all.round(decided.starts(), now, Long.MAX_VALUE);
      round.starts().forEach(it -> start(it, nowS, nowMs));
      for (Preempt stop : round.stops()) {
        ended++;
        gone(stop.jobNumber());
      }
      for (Preempt stop : decided.preempted()) {
        used -= sizes.remove(stop.jobNumber());
        runs.merge(stop.jobNumber(), 1, Integer::sum);
        all.requeued(stop.jobNumber());
      }
      return true;
    }

    private void start(Start start, long nowS, long nowMs) {
      long number = start.jobNumber();
      boolean bestEffort = number >= BEST_EFFORT;
      int size = start.shares().stream().mapToInt(it -> it.getChunks()).sum();
      long runS = bestEffort ? 1 + random.nextInt(40_000) : job(number).runS();
      waiting -= bestEffort ? 1 : 0;
      used += size;
      assertTrue(used <= workload.processors(), "at " + nowS + ": " + used + " in use");
      sizes.put(number, size);
      ends.add(new End(nowS + runS, number, runs.merge(number, 1, Integer::sum)));
      all.granted(number, Records.allocation(start.shares()), nowMs);
      if (!bestEffort) {
        starts.add(nowS + " " + number);
      }
    }

    private TraceJob job(long number) {
      return workload.jobs().get((int) number);
    }
  }
}
