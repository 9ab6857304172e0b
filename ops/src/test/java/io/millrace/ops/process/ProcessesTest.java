package io.millrace.ops.process;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with parts that are small programs. */
class ProcessesTest {

  /** Index of the nice value, counted after the command's closing parenthesis. */
  private static final int NICE_FIELD = 16;

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Home home;
  private Processes processes;

  @BeforeEach
  void open() throws IOException {
    home = new Home(folder);
    home.create();
    processes = new Processes(home);
  }

  @AfterEach
  void stopAll() throws Exception {
    processes.stop("part", Duration.ofSeconds(60));
  }

  /**
   * Writes its ready file or line after some milliseconds and stays; prints its nice value at the
   * end.
   */
  static final class Program {
    public static void main(String[] args) throws Exception {
      if (args[0].equals("fails")) {
        System.out.println("this went wrong");
        System.exit(3);
      }
      if (args.length == 3) {
        Path end = Path.of(args[2]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> copyGroup(end)));
      }
      if (args[0].equals("file")) {
        Files.writeString(Path.of(args[1]), "ready");
      } else {
        System.out.println("program: \"ready\" \\ now");
      }
      new CountDownLatch(1).await(10, TimeUnit.MINUTES);
    }

    private static void copyGroup(Path file) {
      try {
        Files.writeString(file, Files.readString(Path.of("/proc/self/autogroup")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Part part(String... args) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> arguments =
        new ArrayList<>(
            List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    arguments.addAll(List.of(args));
    return args[0].equals("line")
        ? Part.withLine("part", java, arguments, "program: \"ready\" \\ now")
        : Part.withFile("part", java, arguments);
  }

  @Test
  void aPartThatIsReadyByFileRunsOnceAndStops() throws Exception {
    Part part = part("file", home.ready("part").toString());
    assertTrue(processes.start(part));
    processes.awaitReady(part);
    PidFile first = processes.alive("part").orElseThrow();
    assertFalse(processes.start(part));
    assertTrue(processes.runsAs(part));
    assertFalse(processes.runsAs(part("file", "elsewhere")));
    assertEquals(first, processes.alive("part").orElseThrow());
    assertTrue(processes.stop("part", Duration.ofSeconds(60)));
    assertTrue(processes.alive("part").isEmpty());
    assertFalse(processes.stop("part", Duration.ofSeconds(60)));
    assertFalse(Files.exists(home.ready("part")));
  }

  @Test
  void whatADeadLifeHasUnpackedIsNotKept() throws Exception {
    Path temporary = home.temporary("part");
    Files.createDirectories(temporary);
    Files.writeString(temporary.resolve("library"), "of the life before");
    processes.start(part("file", home.ready("part").toString()));
    assertTrue(Files.isDirectory(temporary));
    assertFalse(Files.exists(temporary.resolve("library")));
  }

  @Test
  void aPartThatEndsWhileAnotherIsWaitedForIsStoppedToo() throws Exception {
    processes.start(part("file", home.ready("part").toString()));
    processes.askToEnd("part");
    assertTrue(processes.awaitEnd("part", Duration.ofSeconds(60)));
    assertTrue(processes.end("part", Duration.ofSeconds(60)));
    assertFalse(Files.exists(home.pid("part")));
  }

  @Test
  void aPartThatIsReadyByALine() throws Exception {
    Part part = part("line");
    assertTrue(processes.start(part));
    processes.awaitReady(part);
    assertTrue(processes.ready(part));
    Path printed = home.printed("part");
    assertEquals(
        "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(printed)));
  }

  /** As an engine apart whose scheduler object is not there. */
  @Test
  void aPartThatWaitsForSomebodyIsNotWaitedFor() throws Exception {
    Path program = folder.resolve("waits");
    Files.writeString(
        program, "#!/bin/sh\nfor said; do echo \"part: $said\"; done; exec sleep 600\n");
    assertTrue(program.toFile().setExecutable(true));
    Map<List<String>, Optional<String>> waits =
        Map.of(
            List.of("waits: Unknown Scheduler night"), Optional.of("Unknown Scheduler night"),
            List.of("waits: it", "ready"), Optional.empty(),
            List.of("ready", "waits: another"), Optional.of("another"));
    for (Map.Entry<List<String>, Optional<String>> each : waits.entrySet()) {
      String arguments = "#!/bin/sh\nexec " + program + " '" + String.join("' '", each.getKey());
      Path script = Files.writeString(folder.resolve("script"), arguments + "'\n");
      assertTrue(script.toFile().setExecutable(true));
      Part part = Part.withLine("part", script.toString(), List.of(), "part: ready");
      processes.start(part);
      processes.awaitLine(part, each.getKey().get(each.getKey().size() - 1), LONG);
      assertEquals(each.getValue(), processes.awaitReady(part));
      assertEquals(each.getValue().isEmpty(), processes.ready(part));
      assertTrue(processes.stop("part", LONG));
    }
  }

  @Test
  void aPartThatStandsBackDoesSoBesideOtherSessionsToo() throws Exception {
    Path end = folder.resolve("end");
    Part part = part("file", home.ready("part").toString(), end.toString()).nice(7);
    processes.start(part);
    processes.awaitReady(part);
    Path process = Path.of("/proc/" + processes.alive("part").orElseThrow().pid());
    int own = niceness(Path.of("/proc/self"));
    assertEquals(Math.min(own + 7, 19), niceness(process));
    Path group = process.resolve("autogroup");
    if (Files.exists(group)) {
      String said = Files.readString(group).strip();
      assertTrue(said.endsWith(" nice 7"), said);
      assertTrue(processes.stop("part", Duration.ofSeconds(60)));
      assertTrue(Files.readString(end).strip().endsWith(" nice 0"), "it ends as fast as others");
    }
  }

  private static int niceness(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]);
  }

  @Test
  void aGuardedPartIsStartedAgainByItsParentUnlessItEndsOrderly() throws Exception {
    Part part = part("file", home.ready("part").toString()).guarded();
    processes.start(part);
    processes.awaitReady(part);
    PidFile first = processes.alive("part").orElseThrow();
    ProcessHandle parent =
        ProcessHandle.of(first.pid()).flatMap(ProcessHandle::parent).orElseThrow();
    ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
    await()
        .atMost(Duration.ofSeconds(180))
        .until(() -> processes.alive("part").filter(now -> !now.equals(first)).isPresent());
    processes.awaitReady(part);
    assertTrue(processes.stop("part", Duration.ofSeconds(60)));
    await().atMost(Duration.ofSeconds(180)).until(() -> !parent.isAlive());
    assertTrue(processes.alive("part").isEmpty());
  }

  @Test
  void aGuardThatFindsAnothersMarkEnds() throws Exception {
    Part part = part("file", home.ready("part").toString()).guarded();
    processes.start(part);
    PidFile first = processes.alive("part").orElseThrow();
    ProcessHandle parent =
        ProcessHandle.of(first.pid()).flatMap(ProcessHandle::parent).orElseThrow();
    Files.writeString(home.pid("part"), "1 2 other\n");
    ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
    await().atMost(Duration.ofSeconds(180)).until(() -> !parent.isAlive());
    assertTrue(processes.alive("part").isEmpty());
  }

  /** The launcher may die right after it has started a part. */
  @Test
  void aPartMarksItself() throws Exception {
    processes.start(part("file", home.ready("part").toString()));
    PidFile mark = PidFile.read(home.pid("part")).orElseThrow();
    assertEquals(PidFile.of(mark.pid()).orElseThrow(), mark);
    assertEquals(Set.of("part"), processes.alive().keySet());
  }

  /** Without its pid file, for example on a full disk, a part must not run. */
  @Test
  void withoutItsMarkNoPartRuns() throws Exception {
    Files.createDirectory(home.root().resolve("run/part.pid.new"));
    processes.start(part("file", home.ready("part").toString()));
    assertTrue(processes.alive("part").isEmpty());
    Part part = part("file", home.ready("part").toString());
    PartFailed failed = assertThrows(PartFailed.class, () -> processes.awaitReady(part));
    assertTrue(failed.getMessage().contains("part.pid.new"), failed.getMessage());
  }

  @Test
  void aPartThatDoesNotEndIsNotForgotten() throws Exception {
    Part part = part("file", home.ready("part").toString());
    processes.start(part);
    processes.awaitReady(part);
    long pid = processes.alive("part").orElseThrow().pid();
    PartFailed failed = assertThrows(PartFailed.class, () -> processes.forget("part"));
    assertEquals("part (pid " + pid + ") does not end", failed.getMessage());
    assertTrue(processes.alive("part").isPresent());
    assertTrue(Files.exists(home.ready("part")));
    processes.stop("part", Duration.ofSeconds(60));
    assertFalse(Files.exists(home.pid("part")));
  }

  @Test
  void aPartThatFailsIsQuoted() throws Exception {
    Part part = part("fails");
    processes.start(part);
    PartFailed failed = assertThrows(PartFailed.class, () -> processes.awaitReady(part));
    assertEquals(
        "part ended before it could serve: this went wrong (all of it: "
            + home.log("part")
            + ", "
            + home.printed("part")
            + ")",
        failed.getMessage());
  }
}
