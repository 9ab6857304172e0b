package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts are programs that sleep. */
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
    try (FileChannel held = Launcher.lock(home, quiet)) {
      Process down = downServer(home);
      String said = new String(down.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(1, down.waitFor(), said);
      assertTrue(said.contains("another ./millrace is at work in " + home.root()), said);
      assertFalse(said.contains(Down.BEGUN), said);
      assertFalse(Files.exists(home.down()), "up --keep goes on");
    }
  }

  /** What looks after the parts each minute is at work for some seconds. */
  @Test
  void theEndOfTheServerWaitsForALauncherThatEnds() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Console quiet = new Console(new PrintStream(new ByteArrayOutputStream()), false);
    Process down;
    try (FileChannel held = Launcher.lock(home, quiet)) {
      down = downServer(home);
      assertFalse(down.waitFor(1, TimeUnit.SECONDS), "it waits");
    }
    String said = new String(down.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, down.waitFor(), said);
    assertTrue(said.contains(Down.BEGUN), said);
  }

  private static Process downServer(Home home) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Launcher.class.getName(),
            "down",
            Down.SERVER,
            "--home",
            home.root().toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void anArchiveThatCannotBeKeptKeepsNoOtherPartRunning() throws Exception {
    Home home = new Home(folder.resolve("home"));
    home.create();
    new ClusterSettings("kafka:9092", 3, null).write(home);
    Path program = Files.writeString(folder.resolve("sleeps"), "#!/bin/sh\nexec sleep 600\n");
    assertTrue(program.toFile().setExecutable(true));
    Processes processes = new Processes(home);
    for (String part : List.of("gateway", "server", "broker")) {
      processes.start(Part.withFile(part, program.toString(), List.of("-cp", "none", "Main")));
    }
    Distribution dist = new Distribution(folder.resolve("dist"));
    // A folder in its place is in the way of root, too.
    Files.createDirectories(dist.archive("gateway").resolve("inside"));
    Files.writeString(folder.resolve("dist/cds/gateway.jsa.new"), "classes");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Console console = new Console(new PrintStream(said, true, StandardCharsets.UTF_8), false);
    new Down(home, console, dist, false).run();
    assertEquals(Map.of(), processes.alive());
    String text = said.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("the archive of the classes of gateway was not kept: "), text);
    assertTrue(text.contains("stopped gateway, server, broker"), text);
  }
}
