package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.AccountingFiles;
import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.OutsideEvidence.KillSpan;
import io.millrace.ops.faults.evidence.OutsideEvidence.OutsideMoments;
import io.millrace.ops.faults.evidence.RequestLog;
import io.millrace.ops.faults.kill.KillSchedule;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.Load;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.faults.load.LoadProgress;
import io.millrace.ops.faults.verdict.AccountCheck;
import io.millrace.ops.faults.verdict.Verdict;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.PeerDaemon;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One run over a fresh home and a batch system that serves: load, faults, kills, the verdict. */
final class OutsideFaults {
  private static final long READY_PATIENCE_MS = 300_000;
  private static final long LOOK_MS = 500;

  /** So often in a row a part may be found dead already. */
  private static final int MISSES_MOST = 100;

  private final OutsideFaultSettings settings;
  private final LivePeer peer;
  private final OutsideScenario scenario;
  private final Path root;
  private final Console console;
  private final RequestLog requests = new RequestLog();

  OutsideFaults(OutsideFaultSettings settings, LivePeer peer, Path root, Console console)
      throws IOException {
    this.settings = settings;
    this.peer = peer;
    this.root = root;
    this.console = console;
    this.scenario = new OutsideScenario(settings.cluster(), root, settings.size());
  }

  private PeerCluster cluster() {
    return settings.cluster();
  }

  OutsideFaultReport run() throws IOException, InterruptedException {
    LoadFolder folder = scenario.make();
    FaultyCommands commands =
        FaultyCommands.make(
            scenario.place().commands(),
            scenario.place().realCommands(),
            OptionalLong.of(settings.size().seed()),
            settings.sabotage());
    List<String> arguments = OutsideScenario.upArguments(scenario.place().clusterFile());
    Installation installation = Installation.up(new Home(scenario.home()), arguments, console);
    try (KillOnExit end = new KillOnExit("faults", installation::killAll)) {
      return under(installation, folder, commands);
    }
  }

  private OutsideFaultReport under(
      Installation installation, LoadFolder folder, FaultyCommands commands)
      throws IOException, InterruptedException {
    Home home = installation.home();
    CommandClient administrator = new CommandClient(home, folder.outputs());
    scenario.prepare(administrator);
    CommandClient client = scenario.client(administrator);
    console.say("the system is up in " + root + ", with a " + cluster().system());
    long begin = System.nanoTime();
    Restarter restarter = new Restarter(installation, folder.evidence());
    long backMs;
    boolean ended;
    Map<String, Integer> kills = new TreeMap<>();
    List<KillSpan> connectorKills;
    try (PeerKills peerKills = new PeerKills(peer, new SplittableRandom(settings.size().seed()));
        LoadProgress progress = new LoadProgress(consumer(home))) {
      commands.on();
      try (Load load = new Load(client, folder, requests, settings.size(), scenario);
          CredentialOutage outage = new CredentialOutage(commands, folder, scenario.longJob())) {
        load.start();
        strikes(installation, restarter, peerKills, load);
        load.awaitDone();
        awaitBegun(folder);
        outage.awaitOver();
      }
      restarter.awaitReady(READY_PATIENCE_MS);
      peerKills.awaitServes();
      commands.off();
      backMs = System.currentTimeMillis();
      console.busy("waiting for the end of the jobs");
      ended = progress.awaitEnds(requests.jobIds(), settings.patience().toMillis());
      kills.put(PeerKills.MASTER, peerKills.of(PeerDaemon.MASTER));
      kills.put(PeerKills.HOST, peerKills.of(PeerDaemon.HOST));
      connectorKills = peerKills.ofConnector();
    } finally {
      restarter.close();
    }
    restarter.fates().forEach((part, fate) -> kills.put(part, fate.kills()));
    OutsideMoments moments =
        new OutsideMoments(connectorKills, backMs, scenario.place().awaitEmpty(peer));
    Evidence evidence = evidence(home, folder, commands, moments);
    Verdict verdict = Verdict.of(evidence);
    double seconds = (System.nanoTime() - begin) / 1e9;
    OutsideFaultReport report =
        new OutsideFaultReport(
            settings,
            ended ? verdict : verdict.givenUp(settings.patience().toSeconds()),
            kills,
            commands.notes(),
            evidence.outside().orElseThrow().exited(),
            seconds);
    write(folder, evidence, report);
    return report;
  }

  private void write(LoadFolder folder, Evidence evidence, OutsideFaultReport report)
      throws IOException {
    Files.write(folder.evidence().resolve("findings"), report.findings());
    Files.write(folder.evidence().resolve("clients"), requests.lines());
    Files.write(
        folder.evidence().resolve("ledger"),
        evidence.ledger().stream().map(entry -> entry + " " + entry.fact()).toList());
    evidence.outside().orElseThrow().write(folder.evidence().resolve("outside"));
  }

  private static LedgerConsumer consumer(Home home) throws IOException {
    return LedgerConsumer.ofShards(
        ClientSettings.read(home.client(KafkaPrincipal.MONITOR)),
        ClusterSettings.read(home).shards());
  }

  /** Connector and daemons are killed more often than what other runs kill, too. */
  private List<String> victims(Installation installation) {
    List<String> victims = new ArrayList<>(installation.parts());
    for (String often : List.of(cluster().part(), PeerKills.MASTER, PeerKills.HOST)) {
      victims.addAll(List.of(often, often));
    }
    return victims;
  }

  /**
   * Waits until most jobs have begun, so that their submissions meet the faults; the others were
   * deleted before, or their end says why.
   */
  private void awaitBegun(LoadFolder folder) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    int most = settings.size().jobs() * 3 / 4;
    while (JobLine.readAll(folder.lines()).size() < most && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** What only this harness kills, in an order of the seed; each of them is killed first once. */
  private List<String> first(SplittableRandom random) {
    List<String> parts =
        new ArrayList<>(List.of(cluster().part(), PeerKills.MASTER, PeerKills.HOST));
    List<String> first = new ArrayList<>();
    while (!parts.isEmpty()) {
      first.add(parts.remove(random.nextInt(parts.size())));
    }
    return first;
  }

  private void strikes(
      Installation installation, Restarter restarter, PeerKills peerKills, Load load)
      throws IOException, InterruptedException {
    KillSchedule plan = new KillSchedule(settings.size().seed(), victims(installation));
    List<String> first = first(new SplittableRandom(settings.size().seed()));
    int kills = settings.size().kills();
    int done = 0;
    int misses = 0;
    int released = 0;
    while (done < kills) {
      int due = (int) ((long) settings.size().jobs() * (done + 1) / (kills + 1));
      load.release(Math.max(0, due - released));
      released = Math.max(released, due);
      KillSchedule.Strike strike = plan.next(kills - done);
      if (strike.calm()) {
        restarter.awaitReady(READY_PATIENCE_MS);
        peerKills.awaitServes();
      }
      TimeUnit.MILLISECONDS.sleep(strike.gapMs());
      for (String part : done < first.size() ? List.of(first.get(done)) : strike.parts()) {
        boolean killed = peerKills.kill(part, restarter);
        done += killed ? 1 : 0;
        misses = killed ? 0 : misses + 1;
        if (misses > MISSES_MOST) {
          throw new IOException("there is no " + part + " that could be killed");
        }
      }
      console.busy("kill " + done + " of " + kills + ", " + load.submitted() + " jobs submitted");
    }
    load.release(settings.size().jobs() - released);
  }

  private Evidence evidence(
      Home home, LoadFolder folder, FaultyCommands commands, OutsideMoments moments)
      throws IOException, InterruptedException {
    OutsideEvidence outside =
        scenario
            .place()
            .evidence(OutsideLedger.ends(Files.readAllLines(folder.ends())), commands, moments);
    try (LedgerConsumer consumer = consumer(home)) {
      List<LedgerEntry> ledger = consumer.all();
      List<String> accounts =
          AccountingFiles.await(home, AccountCheck.count(ledger), READY_PATIENCE_MS);
      return new Evidence(
          requests.requests(),
          JobLine.readAll(folder.lines()),
          ledger,
          Optional.of(accounts),
          Optional.empty(),
          Optional.of(outside));
    }
  }
}
