package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of up stay stored until others are given. */
class UpSettingsTest {

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void open() throws IOException {
    home = new Home(folder);
    home.create();
  }

  private UpSettings up(String... arguments) throws IOException, UsageException {
    UpSettings settings =
        UpSettings.of(home, Up.options("up", "starts it").parse(List.of(arguments)));
    settings.write(home);
    return settings;
  }

  private String refusal(String... arguments) {
    return assertThrows(UsageException.class, () -> up(arguments)).getMessage();
  }

  @Test
  void aLogOfCampaignsIsForThoseWhoHaveThem() throws Exception {
    String file = folder.toRealPath().resolve("campaigns.log").toString();
    String alone = refusal("--campaign-log", file);
    assertTrue(alone.contains("--campaign-log goes with --campaigns and --accounting"), alone);
    assertEquals(file, up("--campaigns", "--campaign-log", file).campaignLog());
    assertEquals(file, up().campaignLog());
    String folderItself = folder.toRealPath().resolve("etc").toString();
    String refused = refusal("--campaign-log", folderItself);
    assertTrue(refused.contains(folderItself + " is no file; a symbolic link is none"), refused);
    assertEquals("", up("--no-campaign-log").campaignLog());
    up("--campaign-log", file);
    assertEquals("", up("--no-campaigns").campaignLog());
    assertFalse(up().campaigns());
  }

  @Test
  void flagsStayAndCanBeTakenBack() throws Exception {
    assertTrue(up("--durable", "--apart-engine", "--executors", "2").durable());
    assertTrue(up().durable());
    UpSettings back = up("--no-durable");
    assertFalse(back.durable());
    assertEquals(List.of("default"), back.enginesApart().schedulers());
    assertEquals(2, back.executors());
    assertFalse(up().durable());
    String both = refusal("--durable", "--no-durable");
    assertTrue(both.contains("--durable and --no-durable contradict each other"), both);
  }

  @Test
  void enginesOfSchedulerObjectsStayApartUntilOthersAreNamed() throws Exception {
    assertTrue(up().enginesApart().isEmpty());
    up("--apart-engine", "night,default,night", "--durable");
    assertEquals(List.of("night", "default"), up().enginesApart().schedulers());
    assertEquals(List.of("engine-night"), up().enginesApart().named());
    assertEquals(List.of("default"), up("--apart-engine").enginesApart().schedulers());
    assertTrue(up("--no-apart-engine").enginesApart().isEmpty());
    for (String none : List.of("a/b", "night,", "..", "9x", "--shard", "abcdefghijklmnop")) {
      String said = refusal("--apart-engine", none);
      assertTrue(said.contains("--apart-engine: names of scheduler objects have a letter, "), said);
      assertEquals(1, said.lines().count());
    }
    String many = IntStream.range(0, 21).mapToObj(i -> "s" + i).collect(Collectors.joining(","));
    String said = refusal("--apart-engine", many);
    assertTrue(said.contains("--apart-engine: at most 20 engines run apart"), said);
    assertTrue(up().enginesApart().isEmpty(), "what was refused is not kept");
  }

  @Test
  void aHomeHasAKeeperUnlessItWasRefused() throws Exception {
    assertTrue(up().keeper());
    assertFalse(up("--no-keeper").keeper());
    assertFalse(up().keeper());
    assertTrue(up("--keeper").keeper());
    assertTrue(up().keeper());
    String both = refusal("--keeper", "--no-keeper");
    assertTrue(both.contains("--keeper and --no-keeper contradict each other"), both);
  }

  /** As bench and faults do, which kill parts themselves. */
  @Test
  void aKeeperThatIsLeftAwayThisTimeComesBackWithTheNextUp() throws Exception {
    UpSettings once = up("--durable").unkept();
    assertFalse(once.keeper());
    once.write(home);
    assertTrue(up().keeper());
    assertTrue(up().durable());
    up("--no-keeper").unkept().write(home);
    assertFalse(up().keeper(), "which it was told before");
  }

  /** up --keep runs every minute; each write would be a chance for a kill in the middle of it. */
  @Test
  void theSameAgainWritesNothing() throws Exception {
    up("--durable", "--heap", "server=2g");
    Path file = folder.resolve("etc/up.properties");
    Object first = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    FileTime time = Files.getLastModifiedTime(file);
    up();
    assertEquals(first, Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    assertEquals(time, Files.getLastModifiedTime(file));
    up("--no-durable");
    assertEquals("2g", up().heaps().largest("server"));
    assertFalse(up().durable());
  }

  @Test
  void aFullDiskLeavesThemAsTheyAre() throws Exception {
    try (FullDisk disk = FullDisk.on(folder)) {
      Assumptions.assumeTrue(disk != null, "mounting a small disk takes root");
      home.create();
      up("--durable", "--heap", "server=2g", "--executors", "3");
      Path file = folder.resolve("etc/up.properties");
      byte[] before = Files.readAllBytes(file);
      disk.fill(folder.resolve("filler"));
      assertThrows(IOException.class, () -> up("--executors", "2"));
      assertArrayEquals(before, Files.readAllBytes(file));
      assertFalse(Files.exists(folder.resolve("etc/up.properties.new")));
    }
  }

  @Test
  void whatAnExecutorWouldRefuseIsRefusedAndNotKept() throws Exception {
    String said = refusal("--resources", "ncpus=lots");
    assertEquals(
        "millrace up: --resources wants NAME=AMOUNT, such as ncpus=8,mem=16gb, not ncpus=lots"
            + " (see ./millrace up --help)",
        said);
    assertEquals("", up().resources());
    assertEquals("ncpus=8,mem=16gb", up("--resources", "ncpus=8,mem=16gb").resources());
  }

  @Test
  void boundsOfConnectionsStayForGatewayAndDoor() throws Exception {
    assertEquals(List.of(), up().boundsOption());
    up("--bounds", "sessions=1024/256,http=512/512");
    assertEquals(List.of("--bounds", "sessions=1024/256,http=512/512"), up().boundsOption());
    String said = refusal("--bounds", "sessions=1/2");
    assertTrue(said.contains("sessions=1/2 is not within 1 <= ONE <= ALL <= 10000"), said);
    assertEquals(List.of(), up("--bounds", "").boundsOption());
  }

  @Test
  void optionsThatWouldBeIgnoredAreRefused() {
    for (List<String> ignored :
        List.of(
            List.of("--properties", "file"),
            List.of("--bootstrap-servers", "h:1", "--listen", "0.0.0.0"))) {
      UsageException wrong =
          assertThrows(
              UsageException.class,
              () ->
                  new Up(
                          home,
                          Up.options("up", "starts it").parse(ignored),
                          new Console(System.out, false))
                      .run());
      assertTrue(wrong.getMessage().contains(" goes with "), wrong.getMessage());
    }
  }
}
