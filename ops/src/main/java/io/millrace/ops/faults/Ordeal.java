package io.millrace.ops.faults;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.Principal;
import io.millrace.ops.launcher.Console;
import io.millrace.ops.launcher.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of the harness over a fresh home: load, kills, the wait for the end, the verdict. */
final class Ordeal {
  private static final long READY_PATIENCE_MS = 300_000;
  private static final long ACCOUNTS_LOOK_MS = 200;

  private final FaultSettings settings;
  private final Home home;
  private final Scene scene;
  private final Console console;

  Ordeal(FaultSettings settings, Home home, Scene scene, Console console) {
    this.settings = settings;
    this.home = home;
    this.scene = scene;
    this.console = console;
  }

  /**
   * @throws IOException in one line, when the system or the clients cannot be run at all
   */
  Outcome run() throws IOException, InterruptedException {
    Installation installation = Installation.up(home, scene.upArguments(), console);
    Thread killAll = new Thread(() -> killAll(installation), "kill-all");
    Runtime.getRuntime().addShutdownHook(killAll);
    try {
      return under(installation);
    } finally {
      killAll(installation);
      Runtime.getRuntime().removeShutdownHook(killAll);
    }
  }

  private static void killAll(Installation installation) {
    try {
      installation.killAll();
    } catch (IOException e) {
      System.err.println("faults: a part could not be killed: " + e.getMessage());
    }
  }

  private Outcome under(Installation installation) throws IOException, InterruptedException {
    Workplace place = Workplace.in(home.root());
    Clients clients = new Clients(home, place.outputs());
    scene.prepare(clients, installation);
    console.say("the system is up in " + home.root() + "; " + scene.words());
    long begin = System.nanoTime();
    Book book = new Book();
    Keeper keeper = new Keeper(installation, place.evidence());
    String planted = "";
    boolean ended;
    try (Progress progress = new Progress(tape())) {
      try (Load load = new Load(clients, place, book, settings.size(), scene)) {
        load.start();
        Plant plant = new Plant(home, place, keeper, progress, settings.size().seed());
        planted = strikes(installation, keeper, load, plant);
        keeper.awaitReady(READY_PATIENCE_MS);
        load.awaitDone();
      }
      scene.finish(clients);
      console.busy("waiting for the end of the jobs");
      ended = progress.awaitEnds(book.jobIds(), settings.patience().toMillis());
    } finally {
      keeper.close();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Keeper.Fate> fates = keeper.fates();
    int kills = fates.values().stream().mapToInt(Keeper.Fate::kills).sum();
    Evidence evidence;
    try (LedgerTape tape = tape()) {
      List<LedgerEntry> ledger = tape.all();
      Optional<List<String>> accounts = Optional.of(accounts(AccountCheck.count(ledger)));
      evidence = new Evidence(book.errands(), JobLine.readAll(place.lines()), ledger, accounts);
    }
    Verdict verdict = Verdict.of(evidence);
    if (!verdict.clean() || settings.output().keep()) {
      write(place, book, evidence, verdict);
    }
    Outcome.Counts counts =
        new Outcome.Counts(evidence.errands().size(), book.refused(), kills, seconds, fates);
    return new Outcome(settings, verdict, counts, planted, ended);
  }

  /** The lines of the accounting files, when there are so many or the patience is at its end. */
  private List<String> accounts(int wanted) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_PATIENCE_MS);
    while (true) {
      List<String> lines = new ArrayList<>();
      try (Stream<Path> files = Files.list(home.accounting())) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
      if (lines.size() >= wanted || System.nanoTime() > deadline) {
        return lines;
      }
      TimeUnit.MILLISECONDS.sleep(ACCOUNTS_LOOK_MS);
    }
  }

  private LedgerTape tape() throws IOException {
    Map<String, Object> monitor = ClientSettings.read(home.client(Principal.MONITOR));
    return new LedgerTape(monitor, ClusterSettings.read(home).shards());
  }

  /** Kills, one after the other, each after its share of the jobs was let go. */
  private String strikes(Installation installation, Keeper keeper, Load load, Plant plant)
      throws IOException, InterruptedException {
    KillPlan plan = new KillPlan(settings.size().seed(), scene.victims(installation));
    int kills = settings.size().kills();
    int done = 0;
    int released = 0;
    String planted = "";
    while (done < kills) {
      int due = (int) ((long) settings.size().jobs() * (done + 1) / (kills + 1));
      load.release(Math.max(0, due - released));
      released = Math.max(released, due);
      KillPlan.Strike strike = plan.next(kills - done);
      if (strike.calm()) {
        keeper.awaitReady(READY_PATIENCE_MS);
      }
      TimeUnit.MILLISECONDS.sleep(strike.gapMs());
      for (String part : strike.parts()) {
        // Who has not come back from the last strike is not there for this one: it does not count.
        done += keeper.kill(part) ? 1 : 0;
      }
      console.busy("kill " + done + " of " + kills + ", " + load.submitted() + " jobs submitted");
      if (planted.isEmpty() && settings.sabotage().isPresent() && done * 2 >= kills) {
        // Jobs must run meanwhile: all that are left are let go.
        load.release(settings.size().jobs() - released);
        released = settings.size().jobs();
        planted = plant.plant(settings.sabotage().get());
      }
    }
    load.release(settings.size().jobs() - released);
    return planted;
  }

  private void write(Workplace place, Book book, Evidence evidence, Verdict verdict)
      throws IOException {
    Files.write(
        place.evidence().resolve("findings"),
        verdict.findings().stream().map(Finding::toString).toList());
    Files.write(place.evidence().resolve("clients"), book.lines());
    Files.write(place.evidence().resolve("notes"), scene.notes());
    List<String> ledger =
        evidence.ledger().stream().map(entry -> entry + " " + entry.fact()).toList();
    Files.write(place.evidence().resolve("ledger"), ledger);
  }
}
