package io.millrace.ops.installation;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.NextStart;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.server.gateway.command.DiskRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the keeper starts again, and what it leaves alone; the part is a small program. */
class KeeperTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration WHILE = Duration.ofMillis(500);

  @TempDir Path folder;
  private Home home;
  private Processes processes;
  private volatile Part part;
  private volatile Keeper.PartFinder finder = name -> Optional.ofNullable(part);
  private final AtomicLong aheadNanos = new AtomicLong();
  private Thread thread;

  @BeforeEach
  void open() throws Exception {
    home = new Home(folder.resolve("home"));
    home.create();
    processes = new Processes(home);
    part = part("exec sleep 600");
    processes.start(part);
    aged();
  }

  private Part part(String script) throws IOException {
    // A shell that is still about to read its script must not find another one there.
    Path program = Files.createTempFile(folder, "program", "");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    assertTrue(program.toFile().setExecutable(true));
    return Part.withFile("part", program.toString(), List.of("-cp", "none", "Main"));
  }

  /** As if it had run for long. */
  private void aged() throws IOException {
    aheadNanos.addAndGet(Duration.ofHours(1).toNanos());
    Files.setLastModifiedTime(
        home.pid("part"), FileTime.from(Instant.now().minus(Duration.ofHours(1))));
  }

  private void keep() {
    Keeper keeper =
        new Keeper(
            home,
            name -> finder.find(name),
            new RoomToStart(home, List.of("part")),
            () -> System.nanoTime() + aheadNanos.get());
    thread = new Thread(() -> keeper.keep("part"));
    thread.start();
  }

  @AfterEach
  void end() throws Exception {
    if (thread != null) {
      thread.interrupt();
      thread.join();
    }
    for (PidFile running : processes.alive().values()) {
      ProcessHandle.of(running.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private PidFile kill() throws IOException {
    PidFile running = processes.alive("part").orElseThrow();
    ProcessHandle.of(running.pid()).orElseThrow().destroyForcibly();
    return running;
  }

  private boolean another(PidFile before) throws IOException {
    Optional<PidFile> now = processes.alive("part");
    return now.isPresent() && !now.get().equals(before);
  }

  @Test
  void aPartThatWasKilledIsStartedAgainAndAgain() throws Exception {
    keep();
    for (int i = 0; i < 3; i++) {
      PidFile before = kill();
      await().atMost(PATIENCE).until(() -> another(before));
      aged();
    }
    assertEquals("", NextStart.words(home, "part"));
  }

  @Test
  void whatDiedBeforeTheKeeperCameIsStartedToo() throws Exception {
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
    keep();
    await().atMost(PATIENCE).until(() -> another(before));
  }

  @Test
  void afterDownNothingIsStartedUntilTheNextUp() throws Exception {
    Down.remember(home, false);
    keep();
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
    await().during(WHILE).atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
    Files.delete(home.down());
    await().atMost(PATIENCE).until(() -> another(before));
  }

  @Test
  void afterTheEndOfTheServerWhatIsMeantToLiveIsKept() throws Exception {
    Down.remember(home, true);
    for (String part : List.of("broker", "executor", "executor-2")) {
      assertFalse(Down.isMeant(home, part), part);
    }
    for (String part :
        List.of("server", "gateway", "web", "engine", "engine-night", "accounting")) {
      assertTrue(Down.isMeant(home, part), part);
    }
    keep();
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> another(before));
  }

  @Test
  void whatIsNotWantedAnyMoreIsForgottenUntilSomebodyStartsIt() throws Exception {
    Part wanted = part;
    part = null;
    keep();
    kill();
    await().atMost(PATIENCE).until(() -> !Files.exists(home.pid("part")));
    assertTrue(processes.alive("part").isEmpty());
    part = wanted;
    processes.start(part);
    aged();
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> another(before));
  }

  @Test
  void whatWasStoppedIsLeftAloneAndKeptAgainAfterItsNextStart() throws Exception {
    // Launchers stop parts while they have the lock of the home, which no other thread of this
    // process could wait for.
    Down.remember(home, false);
    keep();
    processes.stop("part", PATIENCE);
    Files.delete(home.down());
    await().during(WHILE).atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
    processes.start(part);
    aged();
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> another(before));
  }

  @Test
  void aPartThatEndsAtOnceIsStartedLaterAndThatIsSaid() throws Exception {
    part = part("echo ran >>" + folder.resolve("runs") + "; exit 1");
    kill();
    keep();
    await().atMost(PATIENCE).until(() -> NextStart.words(home, "part").contains(" 2 times;"));
    String words = NextStart.words(home, "part");
    assertTrue(
        words.matches(
            "ended soon after its start, 2 times; started again at [0-9]{2}:[0-9]{2}:[0-9]{2}"),
        words);
    assertEquals(2, Files.readAllLines(folder.resolve("runs")).size());
  }

  @Test
  void whatFailsUnforeseenKeepsNoPartDownForEver() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    finder =
        name -> {
          if (failures.incrementAndGet() <= 2) {
            throw new IllegalStateException("a file that makes no sense");
          }
          return Optional.of(part);
        };
    keep();
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> another(before));
    assertEquals(3, failures.get());
  }

  /** Once a file cannot be written, because a folder has its name: an argument's, then the mark. */
  @Test
  void aStartThatFailsIsTriedAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    AtomicReference<Path> obstacle = new AtomicReference<>();
    finder =
        name -> {
          Files.deleteIfExists(obstacle.get());
          if (tries.incrementAndGet() == 1) {
            Files.createDirectory(obstacle.get());
          }
          return Optional.of(part);
        };
    List<Path> names =
        List.of(home.arguments("part"), home.pid("part").resolveSibling("part.pid.new"));
    for (Path name : names) {
      tries.set(0);
      obstacle.set(name);
      PidFile before = kill();
      if (thread == null) {
        keep();
      }
      await(name.toString()).atMost(PATIENCE).until(() -> another(before));
      assertEquals(2, tries.get(), name.toString());
      aged();
    }
  }

  @Test
  void aClockThatWasSetBackMakesNoLifeShort() throws Exception {
    keep();
    PidFile first = kill();
    await().atMost(PATIENCE).until(() -> another(first));
    aged();
    Files.setLastModifiedTime(
        home.pid("part"), FileTime.from(Instant.now().plus(Duration.ofHours(1))));
    PidFile second = kill();
    await().atMost(PATIENCE).until(() -> another(second));
    assertEquals("", NextStart.words(home, "part"));
  }

  @Test
  void aClockThatWasSetForwardHidesNoShortLives() throws Exception {
    part = part("touch -d '1 hour ago' " + home.pid("part") + "; exit 1");
    kill();
    keep();
    await().atMost(PATIENCE).until(() -> NextStart.words(home, "part").contains(" 2 times;"));
  }

  @Test
  void onAFullDiskItWaitsForRoomAndNoLonger() throws Exception {
    PidFile before = kill();
    await().atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
    Path run = home.lock().getParent();
    Path kept = Files.move(home.pid("part"), folder.resolve("kept.pid"));
    try (FullDisk disk = FullDisk.on(run, "32m")) {
      Assumptions.assumeTrue(disk != null, "mounting a small disk takes root");
      Files.copy(kept, home.pid("part"));
      Path filler = run.resolve("filler");
      disk.fill(filler);
      assertEquals("disk full: " + run, DiskRoom.words(home.root()));
      keep();
      await().during(WHILE).atMost(PATIENCE).until(() -> processes.alive("part").isEmpty());
      Files.delete(filler);
      await().atMost(PATIENCE).until(() -> another(before));
      end();
    }
  }

  @Test
  void twoPartsThatDieTogetherAreBothStarted() throws Exception {
    Part other = Part.withFile("other", part.program(), part.arguments());
    processes.start(other);
    Keeper keeper =
        new Keeper(
            home,
            name -> Optional.of(name.equals("part") ? part : other),
            new RoomToStart(home, List.of("part", "other")),
            System::nanoTime);
    thread = new Thread(() -> keeper.keep("part"));
    Thread second = new Thread(() -> keeper.keep("other"));
    thread.start();
    second.start();
    try {
      PidFile before = kill();
      PidFile its = processes.alive("other").orElseThrow();
      ProcessHandle.of(its.pid()).orElseThrow().destroyForcibly();
      await().atMost(PATIENCE).until(() -> another(before));
      await()
          .atMost(PATIENCE)
          .until(() -> processes.alive("other").filter(now -> !now.equals(its)).isPresent());
    } finally {
      second.interrupt();
      second.join();
    }
  }
}
