package io.millrace.ops.faults;

import io.millrace.ops.faults.evidence.AccountingFiles;
import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.RequestLog;
import io.millrace.ops.faults.kill.KillSchedule;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.LoadProgress;
import io.millrace.ops.faults.sabotage.FaultInjector;
import io.millrace.ops.faults.scenario.Scenario;
import io.millrace.ops.faults.scenario.TestedSystem;
import io.millrace.ops.faults.verdict.AccountCheck;
import io.millrace.ops.faults.verdict.Defect;
import io.millrace.ops.faults.verdict.ShareCheck;
import io.millrace.ops.faults.verdict.Verdict;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One run of the harness over a fresh home: load, kills, the wait for the end, the verdict. */
final class FaultRun {
  private static final long READY_PATIENCE_MS = 300_000;

  private final FaultSettings settings;
  private final Home home;
  private final Scenario scenario;
  private final Console console;
  private int killsMeanwhile;

  FaultRun(FaultSettings settings, Home home, Scenario scenario, Console console) {
    this.settings = settings;
    this.home = home;
    this.scenario = scenario;
    this.console = console;
  }

  /**
   * @throws IOException in one line, when the system or the clients cannot be run at all
   */
  FaultReport run() throws IOException, InterruptedException {
    TestedSystem system = scenario.up(home, console);
    try (KillOnExit end = new KillOnExit("faults", system.parts()::killAll)) {
      return under(system);
    }
  }

  private FaultReport under(TestedSystem system) throws IOException, InterruptedException {
    LoadFolder folder = LoadFolder.in(home.root());
    CommandClient client = new CommandClient(system.gateways(), folder.outputs());
    scenario.prepare(client);
    console.say("the system is up in " + home.root() + "; " + scenario.words());
    long begin = System.nanoTime();
    RequestLog requestLog = new RequestLog();
    Restarter restarter = new Restarter(system.parts(), folder.evidence());
    String planted = "";
    boolean ended;
    int gaveWay;
    Optional<CampaignEvidence> campaignEvidence = Optional.empty();
    try (FaultCampaign campaign = new FaultCampaign(settings, home, client, folder);
        LoadProgress progress = new LoadProgress(consumer(system))) {
      campaign.begin(scenario.bags(), scenario.groupedBags());
      try (Load load = new Load(client, folder, requestLog, settings.size(), scenario)) {
        load.start();
        FaultInjector injector =
            new FaultInjector(system, folder, restarter, progress, settings.size().seed());
        planted = strikes(restarter, load, campaign, injector);
        scenario.awaitWhole(restarter, READY_PATIENCE_MS);
        load.awaitDone();
      }
      scenario.finish(client);
      console.busy("waiting for the end of the jobs");
      ended = campaign.awaitOver();
      ended &= progress.awaitEnds(requestLog.jobIds(), settings.patience().toMillis());
      campaignEvidence = campaign.evidence();
      gaveWay = campaign.gaveWay();
    } finally {
      restarter.close();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Evidence evidence = evidence(system, folder, requestLog, campaignEvidence);
    FaultReport.Counts counts =
        new FaultReport.Counts(
            evidence.requests().size(),
            requestLog.refused(),
            gaveWay,
            evidence.outside().map(OutsideEvidence::exited).orElse(0),
            new FaultReport.StrikeCounts(
                restarter.fates(), scenario.otherStrikes(), killsMeanwhile),
            seconds);
    FaultReport report =
        new FaultReport(settings, verdict(evidence, client), counts, planted, ended);
    if (report.status() != 0 || settings.output().keep()) {
      write(folder, requestLog, evidence, report.verdict());
    }
    return report;
  }

  private Verdict verdict(Evidence evidence, CommandClient client)
      throws IOException, InterruptedException {
    Verdict verdict = Verdict.of(evidence);
    Optional<Map<String, Long>> charged = scenario.charges(client);
    return charged.isEmpty()
        ? verdict
        : verdict.and(
            ShareCheck.of(evidence.ledger(), evidence.accounts().orElseThrow(), charged.get()));
  }

  private Evidence evidence(
      TestedSystem system,
      LoadFolder folder,
      RequestLog requestLog,
      Optional<CampaignEvidence> campaign)
      throws IOException, InterruptedException {
    try (LedgerConsumer consumer = consumer(system)) {
      List<LedgerEntry> ledger = consumer.all();
      List<String> accounts =
          AccountingFiles.await(system.accounts(), AccountCheck.count(ledger), READY_PATIENCE_MS);
      List<JobLine> lines = JobLine.readAll(folder.lines());
      return new Evidence(
          requestLog.requests(),
          campaign.map(it -> it.with(lines)).orElse(lines),
          ledger,
          Optional.of(accounts),
          campaign,
          scenario.outside());
    }
  }

  private static LedgerConsumer consumer(TestedSystem system) throws IOException {
    return LedgerConsumer.ofShards(system.kafka().monitor(), system.kafka().shards());
  }

  /** Kills parts one strike after the other, each after its share of the jobs was released. */
  private String strikes(
      Restarter restarter, Load load, FaultCampaign campaign, FaultInjector injector)
      throws IOException, InterruptedException {
    KillSchedule plan = new KillSchedule(settings.size().seed(), scenario.victims());
    int kills = settings.size().kills();
    int done = 0;
    int released = 0;
    String planted = "";
    while (done < kills) {
      int due = (int) ((long) settings.size().jobs() * (done + 1) / (kills + 1));
      load.release(Math.max(0, due - released));
      released = Math.max(released, due);
      KillSchedule.Strike strike = plan.next(kills - done);
      if (strike.calm()) {
        scenario.awaitWhole(restarter, READY_PATIENCE_MS);
        // Kills are spread over the whole campaign.
        campaign.awaitShare(done, kills + 1);
      }
      TimeUnit.MILLISECONDS.sleep(strike.gapMs());
      for (String part : strike.parts()) {
        // A part that has not come back from the last strike cannot be killed now and does not
        // count.
        boolean goesOn = campaign.goesOn();
        int killed = scenario.strike(restarter, part) ? 1 : 0;
        done += killed;
        killsMeanwhile += goesOn ? killed : 0;
      }
      console.busy(
          "kill "
              + done
              + " of "
              + kills
              + ", "
              + load.submitted()
              + " jobs submitted"
              + campaign.words());
      if (planted.isEmpty() && settings.sabotage().isPresent() && done * 2 >= kills) {
        // Jobs must run during the sabotage, so all remaining ones are released.
        load.release(settings.size().jobs() - released);
        released = settings.size().jobs();
        scenario.awaitWhole(restarter, READY_PATIENCE_MS);
        planted = injector.inject(settings.sabotage().get());
      }
    }
    load.release(settings.size().jobs() - released);
    return planted;
  }

  private void write(LoadFolder folder, RequestLog requestLog, Evidence evidence, Verdict verdict)
      throws IOException {
    Files.write(
        folder.evidence().resolve("findings"),
        verdict.defects().stream().map(Defect::toString).toList());
    Files.write(folder.evidence().resolve("clients"), requestLog.lines());
    Files.write(folder.evidence().resolve("notes"), scenario.notes());
    List<String> ledger =
        evidence.ledger().stream().map(entry -> entry + " " + entry.fact()).toList();
    Files.write(folder.evidence().resolve("ledger"), ledger);
    if (evidence.campaign().isPresent()) {
      List<String> facts =
          evidence.campaign().get().facts().stream().map(it -> it + " " + it.fact()).toList();
      Files.write(folder.evidence().resolve("campaign-ledger"), facts);
    }
    if (evidence.outside().isPresent()) {
      evidence.outside().get().write(folder.evidence().resolve("outside"));
    }
  }
}
