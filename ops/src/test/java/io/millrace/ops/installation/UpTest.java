package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How up handles the answers that it gets. */
class UpTest {

  @TempDir Path folder;

  private boolean wanted(String... arguments) throws Exception {
    return wanted(new Home(folder), arguments);
  }

  private static boolean wanted(Home home, String... arguments) throws Exception {
    GivenOptions options = Up.options("up", "starts it").parse(List.of(arguments));
    return new Up(home, options, new Console(System.out, false)).isWanted();
  }

  @Test
  void whereTheServerIsDrainedAllElseIsKeptUp() throws Exception {
    Home home = new Home(folder);
    home.create();
    Down.rememberDrained(home);
    assertTrue(Down.isDrained(home));
    assertTrue(wanted("--keep"));
    assertTrue(Down.isMeant(home, "server"), "the keeper leaves it down");
    assertFalse(Down.isMeant(home, "gateway"));
    assertFalse(Down.isAsked(home), "new keys of a host start its executor");
    Down.remember(home, true);
    assertFalse(Down.isDrained(home), "now it is more that is down");
    assertTrue(Down.isAsked(home));
    assertFalse(wanted("--keep"));
  }

  @Test
  void whatWasPutDownByHandIsNotKeptUp() throws Exception {
    Home home = new Home(folder);
    home.create();
    assertTrue(wanted("--keep"));
    Down.remember(home, false);
    assertFalse(wanted("--keep"));
    assertFalse(wanted("--keep"), "however often it is asked");
    assertTrue(wanted());
    assertFalse(wanted("--keep"), "until an up has begun to start something");
  }

  private Exception refused(Path home, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--home", home.toString()));
    return assertThrows(
        Exception.class,
        () -> new UpWord().run(all, new Console(System.out, false)),
        all.toString());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatIsRefusedMakesNothing() throws Exception {
    Path home = folder.resolve("home");
    assertInstanceOf(UsageException.class, refused(home, "--executors", "65"));
    assertInstanceOf(UsageException.class, refused(home, "--properties", "file"));
    assertFalse(Files.exists(home));
    Files.createDirectories(home.resolve(Home.RESTORE));
    String why = assertInstanceOf(IOException.class, refused(home)).getMessage();
    assertTrue(why.contains("a restore into "), why);
    assertEquals(List.of(Home.RESTORE), names(home));
  }

  @Test
  void whatIsRefusedLeavesWhatDownSaid() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    Down.remember(home, false);
    new BuildMark("999.0", 1).write(home);
    assertTrue(refused(home.root()).getMessage().contains("Millrace 999.0 "));
    assertInstanceOf(UsageException.class, refused(home.root(), "--shards", "many"));
    assertFalse(wanted(home, "--keep"));
  }

  @Test
  void whoeverStartsPartsTakesBackADown() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    Down.remember(home, false);
    GivenOptions options = Up.options("upgrade", "as upgrade and demo do").parse(List.of());
    String before = System.setProperty("millrace.dist", brokenBuild().toString());
    try {
      Up up = new Up(home, options, new Console(System.out, false));
      String why = assertThrows(PartFailed.class, up::run).getMessage();
      assertTrue(why.contains("broker"), why);
    } finally {
      if (before == null) {
        System.clearProperty("millrace.dist");
      } else {
        System.setProperty("millrace.dist", before);
      }
    }
    assertTrue(wanted(home, "--keep"));
  }

  /** A build whose broker ends at once. */
  private Path brokenBuild() throws IOException {
    Path dist = folder.resolve("dist");
    Files.createDirectories(dist.resolve("lib"));
    return dist;
  }

  @Test
  void onlyANodeThatNobodyKnowsWasDeleted() {
    assertTrue(
        AwaitedService.deleted(
            new HomeClient.HomeCommandResult(1, "Node: vm,  Error: Unknown node \n")));
    assertFalse(AwaitedService.deleted(new HomeClient.HomeCommandResult(0, "vm\n     Mom = vm\n")));
    assertFalse(
        AwaitedService.deleted(
            new HomeClient.HomeCommandResult(1, "pbsnodes: shard 0 does not answer\n")),
        "whoever cannot be asked was not deleted");
  }
}
