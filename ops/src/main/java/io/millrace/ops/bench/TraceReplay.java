package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.simulate.TraceFile;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Simulation;
import io.millrace.schedulers.simulator.Workload;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Jobs a second that a trace takes through the cycle on one thread, reasons included and reading
 * the file excluded.
 */
final class TraceReplay implements Computation {

  private static final double WARM_UP_S = 1;

  private final Path folder;
  private final List<SimulatedPolicy> policies;
  private final Map<String, Workload> workloads = new LinkedHashMap<>();

  TraceReplay(Path folder, List<SimulatedPolicy> policies) {
    this.folder = folder;
    this.policies = List.copyOf(policies);
  }

  @Override
  public void prepare(Console console) throws IOException {
    for (Path file : traces()) {
      workloads.put(TraceFile.title(file), TraceFile.read(file, 0, SameSecond.SHORTEST));
    }
    Computation.super.prepare(console);
  }

  private List<Path> traces() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException("bench simulate: there is no folder " + folder + ": give --traces DIR");
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> traces =
          files.filter(it -> it.toString().matches(".*\\.swf(\\.gz)?")).sorted().toList();
      if (traces.isEmpty()) {
        throw new IOException("bench simulate: no file of " + folder + " is a .swf or .swf.gz");
      }
      return traces;
    }
  }

  /** A short replay is over before it has been compiled: it is repeated. */
  @Override
  public void warmUp(Console console) {
    for (SimulatedPolicy policy : policies) {
      for (Workload trace : workloads.values()) {
        double seconds = 0;
        while (seconds < WARM_UP_S) {
          seconds += seconds(trace, policy);
        }
      }
    }
  }

  private static double seconds(Workload trace, SimulatedPolicy policy) {
    long begin = System.nanoTime();
    Simulation.run(trace, policy, (done, all) -> {});
    return (System.nanoTime() - begin) / 1e9;
  }

  @Override
  public BenchFigures run(Console console) {
    BenchFigures figures = BenchFigures.none();
    for (SimulatedPolicy policy : policies) {
      for (Map.Entry<String, Workload> trace : workloads.entrySet()) {
        double seconds = seconds(trace.getValue(), policy);
        String name = (policy.word() + "_" + trace.getKey()).toLowerCase(Locale.ROOT);
        figures =
            figures.with(
                name.replaceAll("[^a-z0-9]+", "_") + "_jobs_per_s",
                trace.getValue().jobs().size() / seconds);
      }
    }
    return figures;
  }
}
