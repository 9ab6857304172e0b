package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Prints the cost of deep queues; asserts the decisions, not the speed. */
class SpeedTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final int ROUNDS = 200;

  private final Policy policy = new Priority();

  /** The size of a large site only at night. */
  private static final int MANY = Seeds.NIGHT ? 1_000_000 : 50_000;

  private static final int DIFFERENT = MANY / 10;

  @Test
  void manyJobsInFiveHundredClasses() {
    measure("500 classes", MANY, 500, "");
  }

  @Test
  void manyDifferentJobs() {
    measure("all different", DIFFERENT, DIFFERENT, "");
  }

  @Test
  void withAFormula() {
    String formula = "ncpus * walltime / 3600 + sqrt(mem) + queue_priority + job_priority / 10";
    measure("500 classes, by formula", MANY, 500, formula);
    measure("all different, by formula", DIFFERENT, DIFFERENT, formula);
  }

  private void measure(String shape, int jobs, int classes, String formula) {
    List<JobSpec> specs = specs(classes);
    long heapBefore = heapInUse();
    Random random = new Random(1);
    long begin = System.nanoTime();
    SchedulerState state = site(formula);
    // One run fills the large node, so that the others wait without being impossible.
    state.facts().job(Records.job(9_000_000, "workq", 9, "ncpus=40"));
    Cycle.run(state, NOW, Long.MAX_VALUE);
    long making = 0;
    for (int i = 0; i < jobs; i++) {
      long before = System.nanoTime();
      JobSpec spec = specs.get(i % classes);
      spec.setPriority(random.nextInt(2000) - 1000);
      var job = Records.job(i + 1, i + 1, spec);
      making += System.nanoTime() - before;
      state.facts().job(job);
    }
    double loadMs = (System.nanoTime() - begin - making) / 1e6;
    begin = System.nanoTime();
    CycleDecisions first = Cycle.run(state, NOW, Long.MAX_VALUE);
    double firstMs = (System.nanoTime() - begin) / 1e6;
    assertEquals(0, first.starts().size());
    assertEquals(classes, first.left().size());
    while (state.reasons().hasChanges()) {
      state.reasons().take(100);
    }
    double bytes = (heapInUse() - heapBefore) / (double) jobs;
    double[] micros = new double[ROUNDS];
    double[] endMicros = new double[ROUNDS];
    rounds(state, micros, endMicros);
    Arrays.sort(micros);
    Arrays.sort(endMicros);
    begin = System.nanoTime();
    state.facts().gone(9_000_000);
    CycleDecisions freed = Cycle.run(state, NOW, Long.MAX_VALUE);
    double freedMs = (System.nanoTime() - begin) / 1e6;
    assertFalse(freed.starts().isEmpty());
    System.out.printf(
        Locale.ROOT,
        "%d jobs, %s: load %.0f ms, first cycle %.1f ms, %.0f bytes/job; queued to decision p50 %.0f us,"
            + " p99 %.0f us; end of it p50 %.0f us, p99 %.0f us; large node freed %.1f ms%n",
        jobs,
        shape,
        loadMs,
        firstMs,
        bytes,
        micros[ROUNDS / 2],
        micros[ROUNDS * 99 / 100],
        endMicros[ROUNDS / 2],
        endMicros[ROUNDS * 99 / 100],
        freedMs);
  }

  private static List<JobSpec> specs(int classes) {
    List<JobSpec> specs = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      String walltime = ",walltime=" + (60 + i / 25);
      String cpus = "ncpus=" + (9 + i % 25) + walltime;
      specs.add(Records.spec("q" + i % 20, 0, Records.request(cpus)));
    }
    return specs;
  }

  /** Twenty queues, and one large node among four. */
  private SchedulerState site(String formula) {
    SchedulerState state = new SchedulerState("default", 0, policy, 1000);
    state.facts().written(Records.scheduler());
    if (!formula.isEmpty()) {
      state
          .facts()
          .written(Records.object(ObjectKind.SERVER, "server", "job_sort_formula", formula));
    }
    for (int i = 0; i < 20; i++) {
      state.facts().written(Records.queue("q" + i));
    }
    state.facts().written(Records.queue("workq"));
    for (int i = 0; i < 4; i++) {
      state.facts().written(Records.object(ObjectKind.NODE, "n" + i));
      state.facts().node(Records.node("n" + i, "h" + i, i == 0 ? 40 : 8, 1L << 36));
    }
    return state;
  }

  /** One job after the other comes, starts and ends; how long each took. */
  private static void rounds(SchedulerState state, double[] micros, double[] endMicros) {
    for (int i = 0; i < ROUNDS; i++) {
      var job = Records.job(2_000_000 + i, "workq", 0, "ncpus=1,walltime=" + (i + 1));
      long begin = System.nanoTime();
      state.facts().job(job);
      CycleDecisions one = Cycle.run(state, NOW, Long.MAX_VALUE);
      micros[i] = (System.nanoTime() - begin) / 1e3;
      assertEquals(1, one.starts().size());
      begin = System.nanoTime();
      state.facts().gone(job.getNumber());
      if (state.workDue()) {
        Cycle.run(state, NOW, Long.MAX_VALUE);
      }
      endMicros[i] = (System.nanoTime() - begin) / 1e3;
    }
  }

  private static long heapInUse() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
