package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.StartedPeer;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code ./millrace faults --outside SYSTEM}. */
public final class OutsideFaultsCommand {
  /** The option that leads here. */
  public static final String OPTION = "--outside";

  /** What it does, for the help of the word. */
  public static final String SAYS =
      "jobs in a batch system of this machine (root), with options of its own: --outside slurm "
          + "--help; with --campaigns one of its clusters";

  private static final int SHOWN_MAX = 20;

  private OutsideFaultsCommand() {}

  private static ProgramOptions options() {
    return ProgramOptions.ofWord(
            "faults",
            "Kills our parts and the daemons of a batch system, and has its commands fail.")
        .value(OPTION, "SYSTEM", PeerCluster.names() + "; root installs and starts it")
        .value("--jobs", "N", "jobs to submit (default 60)")
        .value("--kills", "N", "processes to kill meanwhile (default 12)")
        .value("--seed", "N", "of all random choices (default 1)")
        .value("--sabotage", "FAULT", "plant a fault: " + OutsideSabotage.names())
        .value("--patience", "SECONDS", "give up after this time without any change (default 300)")
        .value("--home", "DIR", "new or empty folder (default one below the temporary files)")
        .flag("--keep", "the folder stays; it always does when something is wrong")
        .flag("--json", "one line of JSON on standard output, the rest on standard error");
  }

  static OutsideFaultSettings settings(GivenOptions options) throws UsageException {
    PeerCluster cluster = cluster(options);
    Optional<OutsideSabotage> sabotage = Optional.empty();
    if (options.has("--sabotage")) {
      sabotage = OutsideSabotage.of(options.require("--sabotage"));
      if (sabotage.isEmpty()) {
        throw options.wrong("--sabotage is one of " + OutsideSabotage.names());
      }
    }
    RunSize size =
        new RunSize(
            options.number("--jobs", 60, 1, 999_999),
            0,
            options.number("--kills", 12, 0, 100_000),
            options.number("--seed", 1, 0, Integer.MAX_VALUE));
    int least = OutsideScenario.fewest(size.seed(), size.jobs());
    if (size.jobs() < least) {
      throw options.wrong(
          String.format(
              "with --seed %d --jobs is at least %d: that one outlives an outage",
              size.seed(), least));
    }
    return new OutsideFaultSettings(
        cluster, size, sabotage, Duration.ofSeconds(options.number("--patience", 300, 1, 86_400)));
  }

  /** The system that the option names. */
  public static PeerCluster cluster(GivenOptions options) throws UsageException {
    Optional<PeerCluster> cluster = PeerCluster.of(options.require(OPTION));
    if (cluster.isEmpty()) {
      throw options.wrong(OPTION + " is one of " + PeerCluster.names());
    }
    return cluster.get();
  }

  static OutsideFaultSettings settings(List<String> arguments) throws UsageException {
    return settings(options().parse(arguments));
  }

  /**
   * Runs as the command line says.
   *
   * @return exit status: 0 when nothing is wrong
   * @throws IOException in one line, when the system or ours cannot be had here
   */
  public static int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options = options().parse(arguments);
    OutsideFaultSettings settings = settings(options);
    StartedPeer.checkRoot(settings.cluster());
    boolean json = options.has("--json");
    Console people = json ? new Console(System.err, console.isTerminal()) : console;
    Path root =
        options.has("--home")
            ? Path.of(options.require("--home")).toAbsolutePath()
            : Files.createTempDirectory("millrace-faults-");
    OutsideFaultReport report = run(settings, root, people);
    people.say(
        String.format(
            Locale.ROOT,
            "seed %d: %d jobs, killed %s, %.1f s",
            settings.size().seed(),
            settings.size().jobs(),
            report.kills(),
            report.seconds()));
    settings.sabotage().ifPresent(it -> people.say("planted: " + it.text()));
    List<String> findings = report.findings();
    findings.stream().limit(SHOWN_MAX).forEach(it -> people.say("  " + it));
    if (findings.size() > SHOWN_MAX) {
      people.say("  and " + (findings.size() - SHOWN_MAX) + " more");
    }
    if (report.status() == 0 && !options.has("--keep")) {
      FolderTree.delete(root);
    } else {
      people.say("the evidence is in " + LoadFolder.in(root).evidence());
    }
    if (json) {
      System.out.println(report.json());
    } else {
      people.say(report.json());
    }
    return report.status();
  }

  private static OutsideFaultReport run(OutsideFaultSettings settings, Path root, Console people)
      throws IOException, InterruptedException {
    if (!FolderTree.isFree(root)) {
      throw new IOException(root + " is not empty: faults wants a new folder");
    }
    Files.createDirectories(root);
    people.busy("starting a " + settings.cluster().system());
    try (StartedPeer peer = StartedPeer.start(settings.cluster())) {
      return new OutsideFaults(settings, peer.live(), root, people).run();
    }
  }
}
