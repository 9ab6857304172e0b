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

/** {@code bench peers}: Millrace and those of the others that serve on this machine. */
public final class PeerRuns implements Benchmark {
  private static final int WARM_SCRIPTS = 1_000;
  private static final int WARM_OTHERS = 50;

  private final PeerStarters starters;
  private final List<BatchSystem> systems = new ArrayList<>();
  private Path scripts;

  /**
   * @param slurm script that starts and stops a Slurm
   * @param gridEngine script that starts and stops a Grid Engine
   */
  public PeerRuns(Optional<Path> slurm, Optional<Path> gridEngine) {
    Map<String, Path> scripts = new LinkedHashMap<>();
    slurm.ifPresent(script -> scripts.put("slurm", script));
    gridEngine.ifPresent(script -> scripts.put("gridengine", script));
    starters = new PeerStarters(scripts);
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
      boolean serves = other.serves();
      if (!serves && starters.has(other)) {
        site.console().busy("starting " + other.title());
        starters.start(other);
        serves = true;
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
  public void close() throws IOException, InterruptedException {
    starters.close();
  }

  @Override
  public List<String> table(BenchFigures medians) {
    return PeerTable.lines(medians.values(), systems);
  }
}
