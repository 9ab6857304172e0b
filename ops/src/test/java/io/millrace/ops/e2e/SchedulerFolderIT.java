package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Folders of a scheduler object, from the shell, and what its cycles leave in its log. */
@Order(2)
@Shared(user = "mrfolder", site = "second")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SchedulerFolderIT {
  private static final Duration SOON = Duration.ofSeconds(180);

  private Site site;
  private Account user;
  private Path logs;

  @BeforeAll
  void begin(Site shared, Account account) throws Exception {
    site = shared;
    user = account;
    logs = Files.createDirectory(site.folder().resolve("nightlogs"));
    mode("rwxr-xr-x");
    site.qmgr("create sched night partition = P1");
    site.qmgr("create queue nq queue_type=execution, enabled=True, started=True, partition=P1");
  }

  @AfterAll
  void end() throws Exception {
    site.run("qdel $(qselect -q nq)");
    Site.await(SOON, "the queue is empty", this::isEmpty);
    site.qmgr("delete queue nq");
    site.qmgr("delete sched night");
  }

  private boolean isEmpty() {
    try {
      return site.run("qselect -q nq").must().isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private String qsub(String options) throws Exception {
    return site.run(user, user.home(), "echo true | qsub -q nq " + options).must().strip();
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString(mode));
  }

  private String sched(String attributes) {
    try {
      return site.run("qmgr -c 'list sched night " + attributes + "'").must();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private List<String> lines(Path folder) {
    try (Stream<Path> days = Files.list(folder)) {
      return days.sorted().flatMap(SchedulerFolderIT::all).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Stream<String> all(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long count(String text) {
    return lines(logs).stream().filter(it -> it.endsWith(text)).count();
  }

  @Test
  @Order(1)
  void aFolderThatCannotBeUsedStopsTheScheduler() throws Exception {
    Path home = site.home().root().toRealPath();
    assertTrue(sched("sched_log").contains("sched_log = " + home + "/sched_logs_night"));
    String taken = "qmgr -c 'set sched night sched_priv = " + home + "/sched_priv'";
    assertEquals(15215 % 256, site.run(taken).status());
    site.qmgr("set sched night scheduling = True, sched_log = /var/does_not_exist");
    Site.await(
        SOON,
        "it says so",
        () -> sched("comment").contains("comment = Unable to change the sched_log directory"));
    assertTrue(sched("scheduling").contains("scheduling = False"));
    site.qmgr("set sched night sched_log = " + logs.toRealPath());
    assertEquals("Sched night", sched("comment").strip());
    site.qmgr("set sched night scheduling = True, log_events = 2047");
    Site.await(SOON, "the log is there", () -> count("Updating scheduler attributes") > 0);
  }

  @Test
  @Order(2)
  void eachCycleLeavesItsLinesAndAKillTakesNone() throws Exception {
    String first = qsub("");
    String looked = ";Job;" + first + ";Considering job to run";
    Site.await(SOON, "the cycle is told", () -> count(looked) > 0);
    Site.await(SOON, "its end, too", () -> count(";Req;;Leaving Scheduling Cycle") > 0);
    String line = lines(logs).stream().filter(it -> it.endsWith(looked)).findFirst().orElseThrow();
    assertTrue(line.matches("[\\d/]{10} [\\d:]{8}\\.\\d{6};0100;pbs_sched;.*"), line);
    if (Site.NIGHT) {
      site.killAndUp();
    }
    // Of jobs that ask for the same one is considered.
    String second = qsub("-l ncpus=2");
    Site.await(SOON, "it goes on", () -> count(";Job;" + second + ";Considering job to run") > 0);
    List<String> found = lines(logs).stream().filter(it -> it.contains(";Considering ")).toList();
    assertEquals(found.stream().distinct().toList(), found, "no line is there twice");
    String all = lines(logs).stream().collect(Collectors.joining("\n"));
    assertEquals(1, all.split("Scheduler log directory is changed to", -1).length - 1, all);
  }

  @Test
  @Order(3)
  void aFolderThatOthersMayWriteGetsNoMoreLines() throws Exception {
    mode("rwxrwxrwx");
    site.qmgr("set sched night scheduling = False");
    site.qmgr("set sched night scheduling = True");
    Site.await(
        SOON,
        "it says so",
        () -> sched("comment").contains("comment = Unable to change the sched_log directory"));
    mode("rwxr-xr-x");
  }
}
