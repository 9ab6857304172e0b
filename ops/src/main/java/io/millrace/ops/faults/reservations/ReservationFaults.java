package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.kill.KillSchedule;
import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run over two fresh installations: transactions, kills, the wait for rest, the verdict. */
public final class ReservationFaults {
  private static final long READY_PATIENCE_MS = 300_000;
  private static final String HERE = "here/";
  private static final String FAR = "far/";

  /** How often the ledgers are read on. */
  private static final long LOOK_MS = 500;

  private static final Duration SABOTAGE_PATIENCE = Duration.ofSeconds(60);

  /**
   * What a run is to do.
   *
   * @param sabotage the fault to plant, if any
   * @param patience the wait for rest is given up after this time without any change
   * @param partitions of the first installation
   */
  public record ReservationFaultSettings(
      int transactions,
      int kills,
      long seed,
      Optional<ReservationSabotage> sabotage,
      Duration patience,
      int partitions) {}

  /**
   * What came of it.
   *
   * @param planted what the sabotage did; empty without one
   */
  public record ReservationFaultReport(
      int transactions, int kills, ReservationVerdict verdict, String planted, double seconds) {

    public int status() {
      return verdict.clean() ? 0 : 1;
    }

    public List<String> findings() {
      return verdict.findings();
    }

    /** All but the first two is to be 0, apart from what has come about, which is in it. */
    public String json() {
      Map<String, Object> numbers = new LinkedHashMap<>();
      numbers.put("transactions", transactions);
      numbers.put("kills", kills);
      for (ReservationFinding kind : ReservationFinding.values()) {
        numbers.put(kind.count(), verdict.of(kind).size());
      }
      numbers.put("came_about", object(verdict.carriedOut().numbers()));
      return object(numbers);
    }

    private static String object(Map<String, ?> numbers) {
      return numbers.entrySet().stream()
          .map(it -> "\"" + it.getKey() + "\":" + it.getValue())
          .collect(Collectors.joining(",", "{", "}"));
    }
  }

  private final ReservationFaultSettings settings;
  private final Path root;
  private final Console console;
  private int kills;

  private ReservationFaults(ReservationFaultSettings settings, Path root, Console console) {
    this.settings = settings;
    this.root = root;
    this.console = console;
  }

  /**
   * Runs in a new folder.
   *
   * @throws IOException in one line, when the systems or the clients cannot be run at all
   */
  public static ReservationFaultReport run(
      ReservationFaultSettings settings, Path root, Console console)
      throws IOException, InterruptedException {
    if (!FolderTree.isFree(root)) {
      throw new IOException(root + " is not empty: faults wants a new folder");
    }
    Files.createDirectories(root);
    try (TwoInstallations both = TwoInstallations.up(root, console)) {
      Thread end = new Thread(both::close, "kill-all");
      Runtime.getRuntime().addShutdownHook(end);
      try {
        return new ReservationFaults(settings, root, console).under(both);
      } finally {
        Runtime.getRuntime().removeShutdownHook(end);
      }
    }
  }

  private ReservationFaultReport under(TwoInstallations both)
      throws IOException, InterruptedException {
    Path evidence = Files.createDirectories(root.resolve("evidence"));
    Path outputs = Files.createDirectories(root.resolve("outputs"));
    CommandClient client = new CommandClient(both.here().home(), outputs);
    both.prepare(client, new CommandClient(both.far().home(), outputs), settings.partitions());
    console.say("two installations are up in " + root);
    long begin = System.nanoTime();
    try (Restarter here = new Restarter(both.here(), evidence);
        Restarter far = new Restarter(both.far(), evidence);
        TransactionLoad load =
            new TransactionLoad(
                client, settings.transactions(), settings.seed(), settings.partitions())) {
      load.start();
      strikes(victims(both), here, far, load);
      here.awaitReady(READY_PATIENCE_MS);
      far.awaitReady(READY_PATIENCE_MS);
      console.busy("waiting for the last answers");
      TransactionLoad.LoadResult asked = load.awaitDone();
      return judged(both, asked, begin, evidence);
    }
  }

  private static List<String> victims(TwoInstallations both) {
    return Stream.concat(
            both.here().parts().stream().map(it -> HERE + it),
            both.far().parts().stream().map(it -> FAR + it))
        .toList();
  }

  private void strikes(List<String> victims, Restarter here, Restarter far, TransactionLoad load)
      throws IOException, InterruptedException {
    KillSchedule plan = new KillSchedule(settings.seed(), victims);
    int released = 0;
    while (kills < settings.kills()) {
      long share = (long) settings.transactions() * (kills + 1) / (settings.kills() + 1);
      load.release(Math.max(0, (int) share - released));
      released = Math.max(released, (int) share);
      KillSchedule.Strike strike = plan.next(settings.kills() - kills);
      if (strike.calm()) {
        here.awaitReady(READY_PATIENCE_MS);
        far.awaitReady(READY_PATIENCE_MS);
      }
      TimeUnit.MILLISECONDS.sleep(strike.gapMs());
      for (String part : strike.parts()) {
        boolean ours = part.startsWith(HERE);
        String name = part.substring(part.indexOf('/') + 1);
        kills += (ours ? here : far).kill(name) ? 1 : 0;
      }
      console.busy(
          "kill " + kills + " of " + settings.kills() + ", " + load.done() + " transactions");
    }
    load.release(settings.transactions() - released);
  }

  private ReservationFaultReport judged(
      TwoInstallations both, TransactionLoad.LoadResult asked, long begin, Path evidence)
      throws IOException, InterruptedException {
    LedgerReservations here = new LedgerReservations();
    LedgerReservations far = new LedgerReservations();
    try (LedgerConsumer hereLedger = consumer(both.here().home());
        LedgerConsumer farLedger = consumer(both.far().home())) {
      hereLedger.all().forEach(here::take);
      farLedger.all().forEach(far::take);
      console.busy("waiting until nothing is open");
      ReservationVerdict verdict = null;
      long quiet = System.nanoTime();
      long facts = -1;
      while (verdict == null || !verdict.clean() && within(quiet, settings.patience())) {
        hereLedger.next().forEach(here::take);
        farLedger.next().forEach(far::take);
        if (facts != here.facts() + far.facts()) {
          facts = here.facts() + far.facts();
          quiet = System.nanoTime();
        }
        verdict = asked.verdict(here, far);
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
      String planted = "";
      if (settings.sabotage().isPresent() && verdict.clean()) {
        planted =
            new PlantedReservationFault(both.here().home(), here).plant(settings.sabotage().get());
        long since = System.nanoTime();
        while (verdict.clean() && within(since, SABOTAGE_PATIENCE)) {
          hereLedger.next().forEach(here::take);
          farLedger.next().forEach(far::take);
          verdict = asked.verdict(here, far);
        }
      }
      List<String> words = new ArrayList<>(verdict.findings());
      asked.answers().forEach(it -> words.add(it.toString()));
      Files.write(evidence.resolve("findings"), words);
      double seconds = (System.nanoTime() - begin) / 1e9;
      return new ReservationFaultReport(asked.answers().size(), kills, verdict, planted, seconds);
    }
  }

  private static boolean within(long sinceNanos, Duration patience) {
    return System.nanoTime() - sinceNanos < patience.toNanos();
  }

  private static LedgerConsumer consumer(Home home) throws IOException {
    return LedgerConsumer.ofShards(
        ClientSettings.read(home.client(KafkaPrincipal.MONITOR)),
        ClusterSettings.read(home).shards());
  }
}
