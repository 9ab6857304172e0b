package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.reservations.ReservationFaults.ReservationFaultReport;
import io.millrace.ops.faults.reservations.ReservationFaults.ReservationFaultSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code ./millrace faults --reservations}. */
public final class ReservationFaultsCommand {
  /** The option that leads here. */
  public static final String OPTION = "--reservations";

  /** What it does, for the help of the word. */
  public static final String SAYS =
      "reservations in two installations instead of jobs; --reservations --help has its options";

  private static final int SHOWN_MAX = 20;

  private ReservationFaultsCommand() {}

  private static ProgramOptions options() {
    return ProgramOptions.ofWord(
            "faults", "Kills parts of two installations while nodes are reserved in both.")
        .flag(OPTION, "this kind of run")
        .value("--transactions", "N", "reservations to make (default 100)")
        .value("--kills", "N", "processes to kill meanwhile (default 12)")
        .value("--seed", "N", "of all random choices (default 1)")
        .value("--partitions", "N", "in the first installation, each in its shard (default 8)")
        .value("--sabotage", "FAULT", "plant a fault: " + ReservationSabotage.names())
        .value("--patience", "SECONDS", "give up after this time without any change (default 120)")
        .value("--home", "DIR", "new or empty folder (default one below the temporary files)")
        .flag("--keep", "the folder stays; it always does when something is wrong")
        .flag("--json", "one line of JSON on standard output, the rest on standard error");
  }

  /**
   * Runs as the command line says.
   *
   * @return exit status: 0 when nothing is wrong
   */
  public static int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options = options().parse(arguments);
    Optional<ReservationSabotage> sabotage = Optional.empty();
    if (options.has("--sabotage")) {
      sabotage = ReservationSabotage.of(options.require("--sabotage"));
      if (sabotage.isEmpty()) {
        throw options.wrong("--sabotage is one of " + ReservationSabotage.names());
      }
    }
    ReservationFaultSettings settings =
        new ReservationFaultSettings(
            options.number("--transactions", 100, 1, 999_999),
            options.number("--kills", 12, 0, 100_000),
            options.number("--seed", 1, 0, Integer.MAX_VALUE),
            sabotage,
            Duration.ofSeconds(options.number("--patience", 120, 1, 86_400)),
            options.number(
                "--partitions",
                TransactionPlan.PARTITIONS,
                TransactionPlan.PARTITIONS_MIN,
                TransactionPlan.PARTITIONS));
    boolean json = options.has("--json");
    Console people = json ? new Console(System.err, console.isTerminal()) : console;
    Path root =
        options.has("--home")
            ? Path.of(options.require("--home"))
            : Files.createTempDirectory("millrace-faults-");
    ReservationFaultReport report = ReservationFaults.run(settings, root, people);
    people.say(
        "seed %d: %d transactions, %d kills, %.1f s"
            .formatted(settings.seed(), report.transactions(), report.kills(), report.seconds()));
    if (!report.planted().isEmpty()) {
      people.say("planted: " + report.planted());
    }
    report.findings().stream().limit(SHOWN_MAX).forEach(it -> people.say("  " + it));
    if (report.findings().size() > SHOWN_MAX) {
      people.say("  and " + (report.findings().size() - SHOWN_MAX) + " more");
    }
    if (report.status() == 0 && !options.has("--keep")) {
      FolderTree.delete(root);
    } else {
      people.say("the evidence is in " + root.resolve("evidence"));
    }
    if (json) {
      System.out.println(report.json());
    } else {
      people.say(report.json());
    }
    return report.status();
  }
}
