package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.launcher.Launcher;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests down, and what status shows, with parts that are sleeping programs. */
class DownTest {

  @TempDir Path folder;

  @AfterEach
  void stopAll() throws IOException {
    for (PidFile part : new Processes(new Home(folder.resolve("home"))).alive().values()) {
      ProcessHandle.of(part.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void theEndOfTheServerDoesNotWaitForALauncherThatStays() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Console quiet = new Console(new PrintStream(new ByteArrayOutputStream()), false);
    try (FileChannel held = HomeLock.take(home, quiet)) {
      Process waits = java(List.of(Waits.class.getName(), home.root().toString()));
      String said = new String(waits.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(
          "another ./millrace is at work in " + home.root() + "; try again when it has ended\n",
          said);
      assertFalse(Files.exists(home.down()), "up --keep goes on");
    }
  }

  /** In a process of its own, since within one process a file can be locked only once. */
  static final class Waits {
    private Waits() {}

    public static void main(String[] args) throws Exception {
      try (FileChannel lock = HomeLock.takeWithin(new Home(Path.of(args[0])), 200)) {
        System.out.println("locked " + lock.isOpen());
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** The up --keep that runs each minute holds the lock for some seconds. */
  @Test
  void theEndOfTheServerWaitsForALauncherThatEnds() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Console quiet = new Console(new PrintStream(new ByteArrayOutputStream()), false);
    Process down;
    try (FileChannel held = HomeLock.take(home, quiet)) {
      down = downServer(home);
      assertFalse(down.waitFor(1, TimeUnit.SECONDS), "it waits");
    }
    String said = new String(down.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, down.waitFor(), said);
    assertTrue(said.contains(Down.BEGUN), said);
  }

  private static Process downServer(Home home) throws IOException {
    return launcher(home, "down", Down.SERVER);
  }

  private static Process launcher(Home home, String... words) throws IOException {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("-Dmillrace.dist=" + home.root(), Launcher.class.getName()));
    args.addAll(List.of(words));
    args.addAll(List.of("--home", home.root().toString()));
    return java(args);
  }

  private static Process java(List<String> args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(args);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** As qterm does it. */
  @Test
  void theEndOfTheServerLeavesTheKeeperToWhatGoesOn() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Processes processes = new Processes(home);
    for (String part :
        List.of("gateway", "engine-night", "server", "broker", "executor", "keeper")) {
      processes.start(sleeping(part));
    }
    Process down = downServer(home);
    String said = new String(down.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, down.waitFor(), said);
    assertTrue(said.contains("stopped gateway, engine-night, server\n"), said);
    assertEquals(Set.of("broker", "executor", "keeper"), processes.alive().keySet());
  }

  private Part sleeping(String part) throws IOException {
    Path program = folder.resolve("sleeps");
    if (!Files.exists(program)) {
      Files.writeString(program, "#!/bin/sh\nexec sleep 600\n");
      assertTrue(program.toFile().setExecutable(true));
    }
    return Part.withFile(part, program.toString(), List.of("-cp", "none", "Main"));
  }

  /** Its keeper forgets it when it dies; until then it is there. */
  @Test
  void anExecutorOfARevokedHostIsShownAsLongAsItRuns() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Files.createDirectories(home.root().resolve("lib"));
    HostFiles.revoke(home, Parts.executorHost(1));
    Processes processes = new Processes(home);
    processes.start(sleeping("executor"));
    long pid = processes.alive("executor").orElseThrow().pid();
    Process status = launcher(home, "status");
    String said = new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, status.waitFor(), said);
    assertTrue(said.matches("(?s).*\nexecutor +surplus +" + pid + "  2.*"), said);
  }
}
