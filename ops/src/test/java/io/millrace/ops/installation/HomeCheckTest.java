package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HomeOwner;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.program.GivenOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Which homes a build may use, and the messages about the others. */
class HomeCheckTest {

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void soundHome() throws IOException {
    home = new Home(folder.resolve("home"));
    home.create();
    ClusterSettings cluster =
        new ClusterSettings("127.0.0.1:1", 3, new ClusterSettings.EmbeddedPorts(1, 2, 3, ""));
    cluster.write(home);
    ClientSettings.generate(home, cluster.bootstrapServers());
    Files.createDirectories(home.brokerData());
    Files.writeString(home.brokerData().resolve("meta.properties"), "version=1\n");
    BuildMark.current().write(home);
    Files.writeString(home.initialised(), "once\n");
  }

  private String refused() {
    String why = assertThrows(IOException.class, () -> HomeCheck.pass(home)).getMessage();
    assertEquals(1, why.lines().count(), why);
    return why;
  }

  @Test
  void aNewOnePasses() {
    assertDoesNotThrow(() -> HomeCheck.pass(new Home(folder.resolve("new"))));
  }

  @Test
  void oneOfBeforeTheFirstReleaseIsRefused() throws IOException {
    String why = home.root() + " is the home of a Millrace of before 0.1.0, which is not upgraded";
    Files.writeString(home.build(), "version=0.1.0-SNAPSHOT\nschemas=428\n");
    assertTrue(refused().startsWith(why), refused());
    Files.delete(home.build());
    assertTrue(refused().startsWith(why), "builds that left no mark were before those");
    BuildMark.current().write(home);
    assertDoesNotThrow(() -> HomeCheck.pass(home));
    Path client = home.client(KafkaPrincipal.GATEWAY);
    Files.writeString(client, Files.readString(client).replace(ClientSettings.MECHANISM, "PLAIN"));
    assertTrue(refused().startsWith(why), "its parts would tell their passwords");
  }

  @Test
  void somebodyElsesIsRefusedByHisName() throws Exception {
    assumeTrue(HomeOwner.isCallers(Path.of("/")), "only root gives a folder away");
    Files.setAttribute(home.root(), "unix:uid", 1);
    assertDoesNotThrow(() -> HomeCheck.pass(home), "a folder that was made for the caller");
    Path written = Files.exists(home.settings()) ? home.settings() : home.settings().getParent();
    Files.setAttribute(written, "unix:uid", 1);
    String owner = Files.getOwner(written).getName();
    assertTrue(refused().startsWith(home.root() + " belongs to " + owner + ": only "), refused());
    GivenOptions none = Up.options("up", "starts it").parse();
    Console console = new Console(System.out, false);
    for (Executable word :
        List.<Executable>of(
            () -> new Upgrade(home, console).check(), () -> new Up(home, none, console).check())) {
      String why = assertThrows(IOException.class, word).getMessage();
      assertTrue(why.contains(" belongs to "), why);
    }
  }

  @Test
  void itsOwnMarkPassesAndIsReadAsItWasWritten() throws IOException {
    BuildMark.current().write(home);
    assertEquals(Optional.of(BuildMark.current()), BuildMark.read(home));
    assertDoesNotThrow(() -> HomeCheck.pass(home));
  }

  @Test
  void anEarlierBuildsPasses() throws IOException {
    BuildMark own = BuildMark.current();
    new BuildMark(own.version(), own.level() - 1).write(home);
    assertDoesNotThrow(() -> HomeCheck.pass(home));
  }

  @Test
  void aNewerBuildsIsRefusedWithBothNames() throws IOException {
    BuildMark own = BuildMark.current();
    BuildMark newer = new BuildMark(own.version(), own.level() + 1);
    newer.write(home);
    String why = refused();
    assertTrue(why.contains(newer.text()) && why.contains(own.text()), why);
    new BuildMark("999.0", own.level()).write(home);
    assertTrue(refused().contains("Millrace 999.0 "));
  }

  @Test
  void versionsAreComparedAsNumbers() {
    BuildMark ten = new BuildMark("0.10.0-SNAPSHOT", 5);
    assertTrue(ten.newerThan(new BuildMark("0.9.3", 5)));
    assertFalse(new BuildMark("0.9.3", 5).newerThan(ten));
    assertFalse(ten.newerThan(new BuildMark("0.10.0", 5)));
  }

  @Test
  void aMarkThatIsNoneIsNamed() throws IOException {
    Files.writeString(home.build(), "version=1.0\n");
    assertTrue(refused().startsWith(home.build() + " is damaged"));
  }

  /** A broker would create empty topics there. */
  @Test
  void topicsThatAreGoneAreNoticed() throws IOException {
    Path topics = home.brokerData().resolve("meta.properties");
    Files.delete(topics);
    assertTrue(refused().contains(topics + " is missing"));
  }

  @Test
  void aPasswordThatIsGoneIsNoticed() throws IOException {
    Files.delete(home.client(KafkaPrincipal.SERVER));
    assertTrue(refused().contains(home.client(KafkaPrincipal.SERVER) + " is missing"));
  }

  /** Its topics may be there while its settings are still missing. */
  @Test
  void anInterruptedRestoreIsNoHome() throws IOException {
    Path left = Files.createDirectory(home.root().resolve(".restore"));
    assertTrue(refused().startsWith("a restore into " + home.root() + " was interrupted"));
    Files.delete(left);
    Files.delete(home.initialised());
    assertDoesNotThrow(() -> HomeCheck.pass(home), "a first up was interrupted");
    Files.delete(home.settings());
    assertTrue(refused().contains("there are topics, but neither " + home.settings()));
  }

  @Test
  void aHomeOnAnotherClusterNeedsItsFilesToo() throws IOException {
    Files.delete(home.settings());
    new ClusterSettings("kafka:9092", 3, null).write(home);
    FolderTree.delete(home.brokerData());
    Files.delete(home.client(KafkaPrincipal.MONITOR));
    Files.writeString(home.client(KafkaPrincipal.ENGINE), "bootstrap.servers=kafka:9092\n");
    assertDoesNotThrow(() -> HomeCheck.pass(home));
    Files.delete(home.client(KafkaPrincipal.GATEWAY));
    assertTrue(refused().contains(home.client(KafkaPrincipal.GATEWAY) + " is missing"));
  }

  @Test
  void serversOfOtherHomesAreNamedBeforeAnythingStops() throws IOException {
    Path socket = folder.resolve("query.sock");
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket));
      String alive = "unix:" + socket;
      List<ShardOwner> owners =
          List.of(
              new ShardOwner(0, "unix:" + folder.resolve("none"), 0L),
              new ShardOwner(1, alive, 0L),
              new ShardOwner(2, alive, 0L));
      Set<String> elsewhere = ShardOwners.others(owners, "unix:/own");
      assertEquals(Set.of(alive), elsewhere, "nobody answers at the other one");
      String why =
          assertThrows(IOException.class, () -> Upgrade.refuseBesideOthers(elsewhere)).getMessage();
      assertTrue(why.contains(alive) && why.lines().count() == 1, why);
      assertEquals(Set.of(), ShardOwners.others(owners, alive), "its own server");
    }
    assertDoesNotThrow(() -> Upgrade.refuseBesideOthers(Set.of()));
  }

  @Test
  void thereIsNothingToUpgradeInAnotherFolder() {
    Path other = folder.resolve("other");
    Console console = new Console(new PrintStream(OutputStream.nullOutputStream()), false);
    Upgrade upgrade = new Upgrade(new Home(other), console);
    String why = assertThrows(IOException.class, upgrade::check).getMessage();
    assertEquals(other + " is no home of Millrace: nothing to upgrade", why);
    assertFalse(Files.exists(other));
  }
}
