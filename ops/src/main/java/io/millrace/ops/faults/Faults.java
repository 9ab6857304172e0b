package io.millrace.ops.faults;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.FaultSettings.CampaignTerms;
import io.millrace.ops.faults.FaultSettings.FaultPlace;
import io.millrace.ops.faults.cluster.ClusterScenario;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.faults.outside.OutsideFaultsCommand;
import io.millrace.ops.faults.outside.OutsidePartitions;
import io.millrace.ops.faults.outside.OutsideSabotage;
import io.millrace.ops.faults.reservations.ReservationFaultsCommand;
import io.millrace.ops.faults.sabotage.Sabotage;
import io.millrace.ops.faults.sabotage.SabotagedLoad;
import io.millrace.ops.faults.scenario.BestEffortPartitions;
import io.millrace.ops.faults.scenario.OnePartition;
import io.millrace.ops.faults.scenario.Scenario;
import io.millrace.ops.faults.scenario.SharedPartition;
import io.millrace.ops.faults.scenario.ThreePartitions;
import io.millrace.ops.faults.verdict.Defect;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code ./millrace faults}. */
public final class Faults {
  private static final int SHOWN_MAX = 20;
  private static final int TASKS_MAX = 1_000_000;
  private static final String FAIR_SHARE = "--fair-share";

  private static final String CAMPAIGNS = "--campaigns";
  private static final String CLUSTER = "--cluster";
  private static final String HANDOVERS = "--handovers";

  /** Options that name a cluster. */
  private static final Map<String, FaultPlace> PLACES =
      new TreeMap<>(
          Map.of(
              HANDOVERS,
              FaultPlace.HANDOVERS,
              FAIR_SHARE,
              FaultPlace.FAIR_SHARE,
              CLUSTER,
              FaultPlace.CLUSTER));

  /** The mistake of a connector that can be planted beside a campaign. */
  private static final OutsideSabotage MISTAKE = OutsideSabotage.NO_LOOK_UP;

  /** So many jobs come beside the smallest campaign. */
  private static final int JOBS_MIN = 10;

  /**
   * Logger of the harness's own Kafka clients, silenced because brokers go down on purpose here.
   */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private Faults() {}

  private static boolean isOutside(String argument) {
    String option = OutsideFaultsCommand.OPTION;
    return argument.equals(option) || argument.startsWith(option + "=");
  }

  /**
   * Runs the harness as the command line says.
   *
   * @return exit status: 0 when nothing was lost, nothing happened twice and all is explained
   */
  public static int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    if (arguments.contains(ReservationFaultsCommand.OPTION)) {
      KAFKA.setLevel(Level.OFF);
      return ReservationFaultsCommand.run(arguments, console);
    }
    if (arguments.stream().anyMatch(Faults::isOutside) && !arguments.contains(CAMPAIGNS)) {
      KAFKA.setLevel(Level.OFF);
      return OutsideFaultsCommand.run(arguments, console);
    }
    FaultSettings settings = settings(options().parse(arguments));
    KAFKA.setLevel(Level.OFF);
    // With --json, standard output has the one JSON line and nothing else.
    Console people =
        settings.output().json() ? new Console(System.err, console.isTerminal()) : console;
    Path home =
        settings.output().home().isPresent()
            ? settings.output().home().get()
            : Files.createTempDirectory("millrace-faults-");
    FaultReport outcome = run(settings, new Home(home), people);
    outcome.lines().forEach(people::say);
    List<Defect> defects = outcome.verdict().defects();
    defects.stream().limit(SHOWN_MAX).forEach(defect -> people.say("  " + defect));
    if (defects.size() > SHOWN_MAX) {
      people.say("  and " + (defects.size() - SHOWN_MAX) + " more");
    }
    if (outcome.status() == 0 && !settings.output().keep()) {
      FolderTree.delete(home);
    } else {
      people.say("the evidence is in " + LoadFolder.in(home).evidence());
    }
    if (settings.output().json()) {
      System.out.println(outcome.json());
    }
    return outcome.status();
  }

  /** Runs the harness on a new home. */
  public static FaultReport run(FaultSettings settings, Home home, Console console)
      throws IOException, InterruptedException {
    if (!FolderTree.isFree(home.root())) {
      throw new IOException(
          home.root() + " is not empty: faults deletes its home in the end and wants a new one");
    }
    if (settings.campaign().isPresent()) {
      // The campaign's owner is another user, who asks at the home's socket.
      Files.createDirectories(home.root());
      Files.setPosixFilePermissions(home.root(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (Scenario scenario = scenario(settings)) {
      return new FaultRun(settings, home, scenario, console).run();
    }
  }

  private static Scenario scenario(FaultSettings settings) throws IOException {
    if (settings.campaign().isPresent()) {
      return scenario(settings.campaign().get(), settings.size().seed());
    }
    return switch (settings.place()) {
      case HOME -> new OnePartition();
      case HANDOVERS -> new ThreePartitions(settings.size().seed());
      case FAIR_SHARE -> new SharedPartition();
      case CLUSTER -> new ClusterScenario(settings.size().seed());
    };
  }

  private static Scenario scenario(CampaignTerms campaign, long seed) throws IOException {
    return campaign.outside().isPresent()
        ? new OutsidePartitions(
            seed, campaign.outside().get(), campaign.owner(), campaign.mistake())
        : new BestEffortPartitions(seed);
  }

  private static ProgramOptions options() {
    return ProgramOptions.ofWord(
            "faults", "Kills the parts at random under load, and counts what got lost.")
        .value("--jobs", "N", "jobs to submit (default 300; with --campaigns a tenth of the tasks)")
        .flag(CAMPAIGNS, "a campaign goes on meanwhile, in three partitions, and gives way to jobs")
        .value("--tasks", "N", "tasks of the campaign (default 300)")
        .value("--user", "NAME", "whose the campaign is; root has none")
        .value("--kills", "N", "processes to kill meanwhile (default 12)")
        .value("--seed", "N", "of all random choices (default 1)")
        .value(
            "--sabotage",
            "FAULT",
            "plant a fault: "
                + Sabotage.names(SabotagedLoad.JOBS)
                + "; with --fair-share also "
                + Sabotage.CHARGE_AGAIN.text()
                + "; with --campaigns "
                + Sabotage.names(SabotagedLoad.CAMPAIGN)
                + ", beside --outside also "
                + MISTAKE.text())
        .flag(ReservationFaultsCommand.OPTION, ReservationFaultsCommand.SAYS)
        .value(OutsideFaultsCommand.OPTION, "SYSTEM", OutsideFaultsCommand.SAYS)
        .flag(FAIR_SHARE, "what accounts use is added up, and held against the accounting files")
        .flag(
            CLUSTER,
            "three brokers and two of each part; links are cut too (as root), brokers are paused")
        .flag(HANDOVERS, "three partitions in three shards, and jobs that move between them")
        .value(
            "--patience",
            "SECONDS",
            "give up after this time without any change (default 120, of --outside 300)")
        .value("--home", "DIR", "new or empty folder (default one below the temporary files)")
        .flag("--keep", "the home stays; it always does when something is wrong")
        .flag("--json", "one line of JSON on standard output, the rest on standard error");
  }

  /** The campaign that goes on meanwhile; empty when there is none. */
  private static Optional<CampaignTerms> campaign(GivenOptions options)
      throws UsageException, IOException {
    if (!options.has(CAMPAIGNS)) {
      for (String option : List.of("--tasks", CampaignOwner.OPTION)) {
        if (options.has(option)) {
          throw options.wrong(option + " goes with " + CAMPAIGNS);
        }
      }
      return Optional.empty();
    }
    for (String other : PLACES.keySet()) {
      if (options.has(other)) {
        throw options.wrong(other + " and --campaigns have different clusters");
      }
    }
    try {
      CampaignOwner owner = CampaignOwner.of(options.get(CampaignOwner.OPTION));
      Optional<PeerCluster> outside =
          options.has(OutsideFaultsCommand.OPTION)
              ? Optional.of(OutsideFaultsCommand.cluster(options))
              : Optional.empty();
      boolean mistaken = options.get("--sabotage").equals(Optional.of(MISTAKE.text()));
      return Optional.of(
          new CampaignTerms(
              owner, outside, Optional.of(MISTAKE).filter(it -> mistaken && outside.isPresent())));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private static FaultPlace place(GivenOptions options) throws UsageException {
    List<String> given = PLACES.keySet().stream().filter(options::has).toList();
    if (given.size() > 1) {
      throw options.wrong(given.get(0) + " and " + given.get(1) + " have different clusters");
    }
    return given.isEmpty() ? FaultPlace.HOME : PLACES.get(given.get(0));
  }

  private static FaultSettings settings(GivenOptions options) throws UsageException, IOException {
    Optional<CampaignTerms> terms = campaign(options);
    boolean campaign = terms.isPresent();
    boolean outside = campaign && terms.get().outside().isPresent();
    FaultPlace place = place(options);
    Optional<Sabotage> sabotage = Optional.empty();
    boolean mistake = campaign && terms.get().mistake().isPresent();
    if (options.has("--sabotage") && !mistake) {
      SabotagedLoad load =
          campaign
              ? SabotagedLoad.CAMPAIGN
              : place == FaultPlace.FAIR_SHARE ? SabotagedLoad.FAIR_SHARE : SabotagedLoad.JOBS;
      sabotage = Sabotage.of(options.require("--sabotage"), load);
      if (sabotage.isEmpty()) {
        String with = campaign ? " with --campaigns" : "";
        String more = outside ? "|" + MISTAKE.text() : "";
        throw options.wrong("--sabotage is one of " + Sabotage.names(load) + more + with);
      }
    }
    int tasks = campaign ? options.number("--tasks", 300, 1, TASKS_MAX) : 0;
    int jobs = campaign ? Math.max(JOBS_MIN, tasks / 10) : 300;
    int kills = options.number("--kills", 12, 0, 100_000);
    if (sabotage.isPresent() && kills == 0) {
      throw options.wrong("--sabotage comes between kills: --kills must be 1 or more");
    }
    return new FaultSettings(
        new RunSize(
            options.number("--jobs", jobs, 1, 999_999),
            tasks,
            kills,
            options.number("--seed", 1, 0, Integer.MAX_VALUE)),
        place,
        terms,
        sabotage,
        Duration.ofSeconds(options.number("--patience", outside ? 300 : 120, 1, 86_400)),
        new FaultSettings.FaultReportOutput(
            options.get("--home").map(Path::of), options.has("--json"), options.has("--keep")));
  }
}
