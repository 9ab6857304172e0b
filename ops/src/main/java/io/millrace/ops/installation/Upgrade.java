package io.millrace.ops.installation;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;

/** {@code upgrade}: replaces the parts of a home by those of this build. */
public final class Upgrade {

  private final Home home;
  private final Console console;

  public Upgrade(Home home, Console console) {
    this.home = home;
    this.console = console;
  }

  /**
   * Checks everything that can be checked before a part is stopped.
   *
   * @throws IOException why the home stays as it is, in one line
   */
  public void check() throws IOException, UsageException {
    // Checked before anything is created in what may be somebody else's folder.
    if (!Files.exists(home.settings()) || !Files.exists(home.initialised())) {
      throw new IOException(home.root() + " is no home of Millrace: nothing to upgrade");
    }
    HomeCheck.pass(home);
    UpSettings.of(home, settingsOfLastUp());
    if (!ClusterSettings.read(home).isEmbedded()) {
      refuseBesideOthers(ShardOwners.elsewhere(home));
    }
  }

  /**
   * Refuses while servers of other homes own shards: one of the old build would stop at records of
   * this one.
   */
  static void refuseBesideOthers(Collection<String> owners) throws IOException {
    if (!owners.isEmpty()) {
      throw new IOException(
          "servers of other homes own shards of this cluster: "
              + String.join(", ", owners)
              + "; ./millrace down in each of them before (docs/upgrade.md)");
    }
  }

  private static GivenOptions settingsOfLastUp() throws UsageException {
    return Up.options("upgrade", "").parse(List.of());
  }

  public void run() throws IOException, InterruptedException, UsageException, WordFailed {
    check();
    BuildMark before = BuildMark.read(home).orElseThrow();
    console.say("from " + before.text() + " to " + BuildMark.current().text());
    long begin = System.nanoTime();
    new Down(home, console).run();
    new Up(home, settingsOfLastUp(), console).run();
    console.say("no command was answered meanwhile " + console.since(begin));
    ClusterSettings cluster = ClusterSettings.read(home);
    if (!cluster.isEmbedded() || !cluster.embedded().listen().isEmpty()) {
      console.say("executors of other hosts are next: docs/upgrade.md");
    }
  }
}
