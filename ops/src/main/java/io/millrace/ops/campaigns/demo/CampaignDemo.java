package io.millrace.ops.campaigns.demo;

import io.millrace.ops.campaigns.BestEffortSite;
import io.millrace.ops.campaigns.CampaignDescription;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Submits the campaign, shows how it goes, and puts the picture together. */
final class CampaignDemo {

  private static final int PATIENCE_S = 300;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int IDLE_LOOK_MS = 500;
  private static final int IDLE_PATIENCE_S = 30;

  /** Without a terminal there is a line each time that so much more is done, of a hundred. */
  private static final int STEP = 10;

  private final Home home;
  private final CampaignOwner owner;
  private final TileGrid grid;
  private final int tasks;
  private final Console console;

  CampaignDemo(Home home, CampaignOwner owner, TileGrid grid, Console console) {
    this.home = home;
    this.owner = owner;
    this.grid = grid;
    this.tasks = grid.columns() * grid.rows();
    this.console = console;
  }

  /**
   * Runs it in a home that is up.
   *
   * @return exit status: 0 when each task has computed its tile
   */
  int run(Path picture) throws IOException, InterruptedException, UsageException {
    HomeClient administrator = new HomeClient(home);
    for (String directive : BestEffortSite.directives()) {
      administrator.ask(home.root(), "qmgr", "-c", directive);
    }
    HomeClient client = administrator.as(owner.become());
    grid.writeScript(owner);
    String said = client.ask(grid.folder(), "gridsub", description()).out();
    String id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    console.say(
        "submitted campaign "
            + id
            + " with gridsub: "
            + tasks
            + " tasks on three clusters, each of which computes a tile of a picture with awk, "
            + grid.script());
    console.say("of processors # are its tasks, = local jobs, for which tasks are killed at once");
    ClusterTally tally = new ClusterTally(BestEffortSite.BEST_EFFORT);
    try (LocalJobs local = new LocalJobs(client, grid.folder())) {
      local.start();
      watch(client, tally, local);
    }
    awaitIdle(client);
    if (tally.failed() > 0) {
      client.call(grid.folder(), "gridevents", "-c", id).lines().forEach(console::say);
      return 1;
    }
    grid.write(grid.read(owner), picture);
    console.say(client.ask(grid.folder(), "gridstat", "-c", id).out().stripTrailing());
    console.say(
        "each task was counted once, and "
            + tally.killed()
            + " attempts gave way to local jobs; the picture is "
            + picture);
    return 0;
  }

  private String description() {
    return new CampaignDescription("picture", tasks, grid.script(), grid.folder(), "00:05:00")
        .json(BestEffortSite.BEST_EFFORT, false);
  }

  private void watch(HomeClient client, ClusterTally tally, LocalJobs local)
      throws IOException, InterruptedException {
    ProgressTable table = new ProgressTable(tasks);
    long begin = System.nanoTime();
    long lookedNanos = begin - LOOK_NANOS;
    long heardNanos = begin;
    int told = 0;
    try (LedgerConsumer ledger =
        LedgerConsumer.ofCampaigns(ClientSettings.read(home.client(KafkaPrincipal.MONITOR)))) {
      while (!tally.isOver() && tally.done() + tally.failed() < tasks) {
        int done = tally.done();
        ledger.next().forEach(entry -> tally.hear(entry.fact()));
        local.check();
        long now = System.nanoTime();
        heardNanos = tally.done() > done ? now : heardNanos;
        if (now - heardNanos > TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
          throw new IOException(
              "no task was done for " + PATIENCE_S + " s: " + line(table, tally, begin));
        }
        if (console.isTerminal() && now - lookedNanos >= LOOK_NANOS) {
          lookedNanos = now;
          table.used(client.ask(grid.folder(), "gridclusters", "-u").lines());
          console.draw(table.lines(BestEffortSite.BEST_EFFORT, tally, seconds(begin)));
        } else if (!console.isTerminal() && tally.done() * 100L / tasks >= told + STEP) {
          told = (int) (tally.done() * 100L / tasks / STEP) * STEP;
          console.say(line(table, tally, begin));
        }
      }
    }
    console.draw(table.lines(BestEffortSite.BEST_EFFORT, tally, seconds(begin)));
    console.say(local.submitted() + " local jobs came meanwhile");
  }

  private static long seconds(long begin) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
  }

  private static String line(ProgressTable table, ClusterTally tally, long begin) {
    return table.line(tally, seconds(begin));
  }

  /** What local users left runs to its end: its processes would outlive the installation. */
  private void awaitIdle(HomeClient client) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(IDLE_PATIENCE_S);
    console.busy("waiting for the last local jobs");
    while (!client.ask(grid.folder(), "qselect").out().isBlank()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("local jobs are left after " + IDLE_PATIENCE_S + " s");
      }
      TimeUnit.MILLISECONDS.sleep(IDLE_LOOK_MS);
    }
  }

  /** Makes a folder in which another user's tasks can work. */
  static Path open(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }
}
