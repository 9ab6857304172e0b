package io.millrace.ops.bench;

import io.millrace.ops.bench.campaigns.LateTasks;
import io.millrace.ops.bench.campaigns.LateTests;
import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.simulate.TraceFile;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.campaigns.harvest.HarvestFigures;
import io.millrace.schedulers.campaigns.harvest.HarvestReplay;
import io.millrace.schedulers.campaigns.harvest.IdleProcessors;
import io.millrace.schedulers.campaigns.harvest.TaskMix;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Simulation;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a campaign gets out of the processors that local jobs leave, by each way of sending its
 * tasks. Local jobs run under EASY. Time is virtual: the figures do not depend on the machine.
 */
final class CampaignHarvest implements Computation {

  private static final int DAY_S = 86_400;

  /** Of each of the three clusters on which tasks are late. */
  private static final int PROCESSORS = 32;

  private static final int LATE_CAMPAIGNS = 5;

  private static final List<Integer> MEANS_S = List.of(60, 600, 3_600);
  private static final Pattern DAYS = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
  private static final List<String> OWN = List.of("--trace", "--days", "--seed");

  /**
   * @param from first day of the trace that counts, from 0
   * @param to first day that does not
   */
  private record TraceDays(int from, int to) {}

  private final Path trace;
  private final TraceDays days;
  private long seed;
  private IdleProcessors local;

  private CampaignHarvest(Path trace, TraceDays days, long seed) {
    this.trace = trace;
    this.days = days;
    this.seed = seed;
  }

  /** Refuses the options of this measurement with another one. */
  static void onlyHere(String name, GivenOptions options) throws UsageException {
    for (String own : OWN) {
      if (options.has(own) && !name.equals("campaigns")) {
        throw options.wrong(own + " goes with campaigns only");
      }
    }
  }

  static CampaignHarvest of(GivenOptions options, Path traces) throws UsageException {
    Path file =
        options
            .get("--trace")
            .map(Path::of)
            .orElse(traces.resolve("KTH-SP2-1996-2.1-cln.swf.gz"))
            .normalize();
    String given = options.get("--days").orElse("60-90");
    Matcher days = DAYS.matcher(given);
    if (!days.matches() || Integer.parseInt(days.group(1)) >= Integer.parseInt(days.group(2))) {
      throw options.wrong("--days is FIRST-END, as 60-90, not '" + given + "'");
    }
    TraceDays window =
        new TraceDays(Integer.parseInt(days.group(1)), Integer.parseInt(days.group(2)));
    return new CampaignHarvest(file, window, options.number("--seed", 1, 0, Integer.MAX_VALUE));
  }

  @Override
  public void prepare(Console console) throws IOException {
    console.busy("local jobs of " + TraceFile.title(trace));
    Schedule schedule =
        Simulation.run(
            TraceFile.read(trace, 0, SameSecond.SHORTEST),
            SimulatedPolicy.named("easy").orElseThrow(),
            (done, all) -> {});
    try {
      local = IdleProcessors.of(schedule, (long) days.from() * DAY_S, (long) days.to() * DAY_S);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "bench campaigns: --days " + days.from() + "-" + days.to() + ": " + e.getMessage(), e);
    }
  }

  /** Each run has other tasks: the first those of the seed. */
  @Override
  public BenchFigures run(Console console) {
    double whole = (double) local.processors() * (local.toS() - local.fromS());
    BenchFigures figures = BenchFigures.none().with("idle_share", local.processorSeconds() / whole);
    for (int meanS : MEANS_S) {
      TaskMix mix = new TaskMix(1, meanS, seed);
      for (String name : ComparedPredictors.names()) {
        console.busy(name + ", tasks of " + meanS + " s");
        HarvestFigures got =
            HarvestReplay.run(local, mix, ComparedPredictors.find(name).orElseThrow());
        String prefix = name.replace('-', '_') + "_" + meanS + "s_";
        double done = Math.max(1, got.done());
        figures =
            figures
                .with(prefix + "harvest_share", got.share().harvest())
                .with(prefix + "waste_share", got.share().waste())
                .with(prefix + "waiting_mean_tasks", got.waiting().mean())
                .with(prefix + "taken_back_per_done", got.takenBack() / done);
      }
    }
    figures = figures.with(lateTasks(console));
    console.busy("a test behind 100,000 tasks");
    figures = figures.with("test_begins_after_first_idle_s", LateTests.run(PROCESSORS, seed));
    seed++;
    return figures;
  }

  /** The sums of some campaigns: whether a late task begins near the end of one is chance. */
  private LateTasks.LateTasksResult lateTasks(boolean replicas) {
    LateTasks.LateTasksResult all = new LateTasks.LateTasksResult(0, 0, 0, 0);
    for (int i = 0; i < LATE_CAMPAIGNS; i++) {
      all = all.plus(LateTasks.run(PROCESSORS, replicas, seed + i));
    }
    return all;
  }

  /** What replicas do to campaigns whose last tasks take long on one of three clusters. */
  private BenchFigures lateTasks(Console console) {
    console.busy("replicas of late tasks");
    LateTasks.LateTasksResult without = lateTasks(false);
    LateTasks.LateTasksResult with = lateTasks(true);
    return BenchFigures.none()
        .with("late_tasks_end_mean_s", without.endS() / LATE_CAMPAIGNS)
        .with("late_tasks_finalize_end_mean_s", with.endS() / LATE_CAMPAIGNS)
        .with("late_tasks_finalize_earlier_share", 1 - with.endS() / without.endS())
        .with("late_tasks_finalize_extra_work_share", with.workS() / without.workS() - 1)
        .with("late_tasks_finalize_replicas", with.replicas())
        .with("late_tasks_finalize_replicas_work_share", with.replicasS() / without.workS());
  }
}
