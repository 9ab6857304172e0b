package io.millrace.ops.bench.peers;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.ClientLoops;
import io.millrace.ops.bench.site.FolderOfScripts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The work that every system gets, and what its scripts wrote about it. */
final class ScriptStarts {
  private static final int IDLE_JOBS = 15;
  private static final int STEADY_JOBS = 200;
  private static final int BATCH_JOBS = 1_000;
  private static final int BATCH_CLIENTS = 2;
  private static final int[] CLIENTS = {1, 2, 4, 8, 16};

  private final BatchSystem system;
  private final Path folder;
  private final int loopJobs;

  /**
   * @param folder that the scripts of any user may write to
   * @param loopJobs scripts that the clients of a loop submit together
   */
  ScriptStarts(BatchSystem system, Path folder, int loopJobs) {
    this.system = system;
    this.folder = folder;
    this.loopJobs = loopJobs;
  }

  /** A few scripts that are not counted. */
  void warmUp(int scripts) throws IOException, InterruptedException {
    submit(scripts, BATCH_CLIENTS, "");
  }

  BenchFigures run() throws IOException, InterruptedException {
    double[] idle = delays(submit(IDLE_JOBS, 1, "1"));
    double[] steady = delays(submit(STEADY_JOBS, 1, "0.05"));
    BenchFigures figures =
        BenchFigures.none()
            .with("start_idle_p50_ms", BenchFigures.quantile(idle, 0.5))
            .with("start_idle_max_ms", BenchFigures.quantile(idle, 1))
            .with("start_at_20_per_s_p50_ms", BenchFigures.quantile(steady, 0.5))
            .with("start_at_20_per_s_p99_ms", BenchFigures.quantile(steady, 0.99));
    for (int clients : CLIENTS) {
      LoopStarts submitted = submit(loopJobs, clients, "");
      figures = figures.with("loop_" + clients + "_per_s", submitted.loops().perSecond());
    }
    LoopStarts batch = submit(BATCH_JOBS, BATCH_CLIENTS, "");
    long first =
        batch.loops().calls().stream()
            .mapToLong(ClientLoops.TimedCall::beginUs)
            .min()
            .orElseThrow();
    long last = batch.started().values().stream().mapToLong(Long::longValue).max().orElseThrow();
    return figures
        .with("scripts_1000_per_s", BATCH_JOBS / ((last - first) / 1e6))
        .with("scripts_1000_daemons_ms", batch.daemonsMs() / BATCH_JOBS)
        .with("scripts_1000_machine_ms", batch.machineMs() / BATCH_JOBS);
  }

  /**
   * @param started when each script began, in microseconds since 1970
   * @param daemonsMs see {@link SystemTime#daemonsMsSince}, until the last one had begun
   */
  private record LoopStarts(
      ClientLoops loops, Map<String, Long> started, double daemonsMs, double machineMs) {}

  private LoopStarts submit(int jobs, int clients, String pause)
      throws IOException, InterruptedException {
    FolderOfScripts scripts = FolderOfScripts.write(folder, jobs);
    SystemTime before = SystemTime.now(system);
    ClientLoops loops =
        ClientLoops.run(
            folder, system.environment(), system.submit(), pause, scripts.dealt(clients));
    Map<String, Long> started = scripts.awaitStarts();
    SystemTime now = SystemTime.now(system);
    return new LoopStarts(loops, started, now.daemonsMsSince(before), now.machineMsSince(before));
  }

  private static double[] delays(LoopStarts submitted) {
    return submitted.loops().calls().stream()
        .mapToDouble(call -> (submitted.started().get(call.word()) - call.beginUs()) / 1000.0)
        .toArray();
  }
}
