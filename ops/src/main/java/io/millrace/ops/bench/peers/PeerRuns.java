package io.millrace.ops.bench.peers;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code bench peers}: Millrace and those of the others that serve on this machine. */
public final class PeerRuns implements Benchmark {
  private static final int WARM_SCRIPTS = 1_000;
  private static final int WARM_OTHERS = 50;
  private static final int STARTING_S = 600;

  private final Map<String, Path> starters = new LinkedHashMap<>();
  private final List<BatchSystem> systems = new ArrayList<>();
  private Path scripts;

  /**
   * @param slurm script that starts a Slurm
   * @param gridEngine script that starts a Grid Engine
   */
  public PeerRuns(Optional<Path> slurm, Optional<Path> gridEngine) {
    slurm.ifPresent(script -> starters.put("slurm", script));
    gridEngine.ifPresent(script -> starters.put("gridengine", script));
  }

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=64,mem=256gb");
  }

  @Override
  public int usualRuns() {
    return 3;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    scripts = Files.createDirectories(site.folder("peers"));
    Files.setPosixFilePermissions(scripts, PosixFilePermissions.fromString("rwxrwxrwx"));
    String qsub = site.home().bin().resolve("qsub").toString();
    systems.add(BatchSystem.millrace(qsub, site.clientEnvironment(), site::pids));
    for (BatchSystem other : BatchSystem.others()) {
      Path starter = starters.get(other.name());
      boolean serves = serves(other);
      if (!serves && starter != null) {
        site.console().busy("starting " + other.title());
        serves = shell(other, "bash " + starter) == 0 && serves(other);
        if (!serves) {
          throw new IOException(starter + " did not start " + other.title());
        }
      }
      if (serves) {
        systems.add(other);
      } else {
        site.console().say(other.title() + " does not serve on this machine");
      }
    }
    for (BatchSystem system : systems) {
      site.console().busy("warming up " + system.title());
      boolean own = system == systems.get(0);
      new ScriptStarts(system, scripts).warmUp(own ? WARM_SCRIPTS : WARM_OTHERS);
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none();
    for (BatchSystem system : systems) {
      BenchFigures own = new ScriptStarts(system, scripts).run();
      for (Map.Entry<String, Double> each : own.values().entrySet()) {
        figures = figures.with(system.name() + "_" + each.getKey(), each.getValue());
      }
      say(site.console(), system, own);
    }
    return figures;
  }

  private static void say(Console console, BatchSystem system, BenchFigures figures) {
    StringBuilder line = new StringBuilder(system.title() + ":");
    figures.values().forEach((name, value) -> line.append(String.format(" %s %.1f,", name, value)));
    console.say(line.substring(0, line.length() - 1));
  }

  @Override
  public List<String> table(BenchFigures medians) {
    return PeerTable.lines(medians.values(), systems);
  }

  private static boolean serves(BatchSystem system) throws IOException, InterruptedException {
    return shell(system, system.asks()) == 0;
  }

  private static int shell(BatchSystem system, String line)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", line);
    builder.environment().putAll(system.environment());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    if (!process.waitFor(STARTING_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("'" + line + "' did not end");
    }
    return process.exitValue();
  }
}
