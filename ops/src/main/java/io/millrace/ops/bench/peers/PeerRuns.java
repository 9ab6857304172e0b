package io.millrace.ops.bench.peers;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code bench peers}: Millrace and those of the others that serve on this machine. */
public final class PeerRuns implements Benchmark {
  private static final int WARM_SCRIPTS = 1_000;
  private static final int WARM_OTHERS = 50;

  private final PeerStarters starters;
  private final int loopJobs;
  private final List<BatchSystem> systems = new ArrayList<>();
  private Path scripts;

  /** Why those are not measured that are not. */
  private final List<String> absent = new ArrayList<>();

  /**
   * @param scripts that start and stop systems, by the systems' names; for others packages are used
   * @param loopJobs scripts that the clients of a loop submit together
   */
  public PeerRuns(Map<String, Path> scripts, int loopJobs) throws IOException {
    this.loopJobs = loopJobs;
    Map<String, PeerStarters.PeerStarter> all = new HashMap<>();
    for (BatchSystem system : BatchSystem.others()) {
      Path script = scripts.get(system.name());
      Optional<PeerCluster> packages = PeerCluster.of(system.name());
      if (script != null) {
        all.put(system.name(), PeerStarters.ofScript(script, system.environment()));
      } else if (packages.isPresent()) {
        String user = System.getProperty("user.name");
        all.put(system.name(), PeerStarters.ofPackages(packages.get(), user));
      }
    }
    starters = new PeerStarters(all);
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
      site.console().busy("starting " + other.title());
      Optional<String> missing = other.serves() ? Optional.empty() : starters.start(other);
      if (missing.isEmpty()) {
        systems.add(other);
      } else {
        absent.add("No figures of " + other.title() + ": " + missing.get());
        site.console().say(absent.get(absent.size() - 1));
      }
    }
    for (BatchSystem system : systems) {
      site.console().busy("warming up " + system.title());
      boolean own = system == systems.get(0);
      new ScriptStarts(system, scripts, loopJobs).warmUp(own ? WARM_SCRIPTS : WARM_OTHERS);
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none();
    for (BatchSystem system : systems) {
      BenchFigures own = new ScriptStarts(system, scripts, loopJobs).run();
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
    List<String> lines = new ArrayList<>(PeerTable.lines(medians.values(), systems));
    lines.addAll(absent);
    return lines;
  }
}
