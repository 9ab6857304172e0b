package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.simulate.TraceFile;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.dialects.plus.PlusText;
import io.millrace.schedulers.simulator.OriginSite;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Simulation;
import io.millrace.schedulers.simulator.Workload;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * What the Origin2000 dialect and PluS's keys cost: a cycle with all options over a long queue, and
 * the trace of KTH-SP2, where it is.
 */
final class OriginTimes implements Computation {

  private static final int ROUNDS = 5;
  private static final int REPLAYS = 8;
  private static final double MS = 1e6;
  private static final String TRACE = "KTH-SP2-1996-2.1-cln.swf.gz";

  private static final String CONFIG =
      """
      SUBMIT_QUEUE submit
      BATCH_QUEUES exec@machine
      ENFORCE_PRIME_TIME True
      PRIME_TIME_START 8:00:00
      PRIME_TIME_END 18:00:00
      PRIME_TIME_WALLT_LIMIT 4:00:00
      PRIME_TIME_SMALL_NODE_LIMIT 4
      PRIME_TIME_SMALL_WALLT_LIMIT 8:00:00
      NONPRIME_DRAIN_SYS True
      NP_DRAIN_BACKTIME 30:00
      NP_DRAIN_IDLETIME 5:00
      MAX_QUEUED_TIME 24:00:00
      SMALL_QUEUED_TIME 4:00:00
      """;

  private static final String SCHED_CONF =
      """
      JobSortKey: OwnersGroup, QueuePriority, QueueRoundRobin, MostCPURequested, SubmitTime
      GroupsOrder: group5, group9, group1
      """;

  private final Path traces;
  private Workload workload;

  /**
   * @param traces folder in which the trace may be
   */
  OriginTimes(Path traces) {
    this.traces = traces;
  }

  @Override
  public void prepare(Console console) throws IOException {
    Path file = traces.resolve(TRACE);
    workload = Files.exists(file) ? TraceFile.read(file, 0, SameSecond.SHORTEST) : null;
    Computation.super.prepare(console);
  }

  /** What a replay runs through is compiled well only after several of them. */
  @Override
  public void warmUp(Console console) {
    run(console);
    for (int i = 0; i < REPLAYS && workload != null; i++) {
      rate(plus());
    }
  }

  @Override
  public BenchFigures run(Console console) {
    BenchFigures cycles =
        BenchFigures.none()
            .with("cycle_10000_waiting_ms", median(10_000))
            .with("cycle_100000_waiting_ms", median(100_000));
    return workload == null
        ? cycles
        : cycles
            .with("kth_sp2_origin2000_jobs_per_s", rate(origin()))
            .with("kth_sp2_plus_jobs_per_s", rate(plus()));
  }

  private static double median(int waiting) {
    OriginLoad load = new OriginLoad(waiting);
    double[] all = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      load.cycle();
      all[i] = (System.nanoTime() - begin) / MS;
    }
    Arrays.sort(all);
    return all[ROUNDS / 2];
  }

  private double rate(SimulatedPolicy policy) {
    long begin = System.nanoTime();
    Simulation.run(workload, policy, (done, all) -> {});
    return workload.jobs().size() / ((System.nanoTime() - begin) / 1e9);
  }

  private static SimulatedPolicy origin() {
    OriginPlace place = new OriginPlace("machine", ZoneOffset.UTC);
    OriginConfig config = OriginConfigText.read("config", CONFIG, place).config();
    OriginRules rules = new OriginRules(config, place, OriginHolidays.NONE, true);
    return SimulatedPolicy.origin(
        "origin2000", new OriginSite(rules, InputFile.NONE, InputFile.NONE, InputFile.NONE));
  }

  private static SimulatedPolicy plus() {
    return SimulatedPolicy.of("plus", PlusText.read("sched_conf", SCHED_CONF).conf().attributes());
  }
}
