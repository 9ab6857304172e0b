package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What up finds running; the parts are sleeping programs. */
class RunningPartsTest {

  @TempDir Path folder;
  private Home home;
  private Processes processes;
  private Distribution dist;

  @BeforeEach
  void open() throws IOException {
    home = new Home(folder.resolve("home"));
    home.create();
    processes = new Processes(home);
    dist = build("new");
  }

  @AfterEach
  void stopAll() throws IOException {
    for (PidFile part : processes.alive().values()) {
      ProcessHandle.of(part.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private Distribution build(String name) throws IOException {
    Path lib = Files.createDirectories(folder.resolve(name + "/lib"));
    for (String jar : List.of("a.jar", "b \"quoted\".jar")) {
      Files.writeString(lib.resolve(jar), "");
    }
    return new Distribution(folder.resolve(name));
  }

  private void run(String name, Distribution of) throws IOException, InterruptedException {
    // The arguments file is an option of the JVM only; to this program it is one more argument.
    processes.start(
        Part.withFile(name, program().toString(), List.of("-cp", of.classPath(), "Main")));
  }

  private Path program() throws IOException {
    Path program = folder.resolve("sleeps");
    if (!Files.exists(program)) {
      Files.writeString(program, "#!/bin/sh\nexec sleep 600\n");
      assertTrue(program.toFile().setExecutable(true));
    }
    return program;
  }

  private UpSettings settings(String... arguments) throws IOException, UsageException {
    return UpSettings.of(home, Up.options("up", "starts it").parse(List.of(arguments)));
  }

  @Test
  void partsOfAnotherBuildAreNamedAndTheHomeStaysAsItIs() throws Exception {
    assertDoesNotThrow(() -> RunningParts.of(home).requireBuild(dist));
    run("server", dist);
    assertDoesNotThrow(() -> RunningParts.of(home).requireBuild(dist));
    Distribution old = build("old");
    run("gateway", old);
    RunningParts running = RunningParts.of(home);
    String why = assertThrows(IOException.class, () -> running.requireBuild(dist)).getMessage();
    assertTrue(why.startsWith("parts of " + old.root() + " run in " + home.root()), why);
    assertTrue(why.endsWith("; ./millrace upgrade replaces them"), why);
    assertEquals(1, why.lines().count());
  }

  @Test
  void aPartThatEndedIsOfNoBuild() throws Exception {
    run("gateway", build("old"));
    stopAll();
    assertTrue(processes.awaitEnd("gateway", Duration.ofSeconds(60)));
    assertDoesNotThrow(() -> RunningParts.of(home).requireBuild(dist));
  }

  @Test
  void whatIsNotAskedForAnyMoreIsNamed() throws Exception {
    for (String name : List.of("broker", "server", "web", "accounting", "executor-2")) {
      run(name, dist);
    }
    ClusterSettings cluster =
        new ClusterSettings("127.0.0.1:1", 3, new ClusterSettings.EmbeddedPorts(1, 2, 3, ""));
    RunningParts running = RunningParts.of(home);
    Parts fewer = new Parts(home, dist, cluster, settings("--no-http", "--no-accounting"));
    assertEquals(List.of("accounting", "executor-2", "web"), running.surplus(cluster, fewer));
    Parts all = new Parts(home, dist, cluster, settings("--http", "8080", "--executors", "2"));
    assertEquals(List.of(), running.surplus(cluster, all));
  }

  @Test
  void whoRunsTakesNothingOver() throws Exception {
    GivenOptions options = Up.options("up", "starts it").parse();
    run("executor", dist);
    RunningParts running = RunningParts.of(home);
    UpSettings one = settings("--take-over");
    String why =
        assertThrows(UsageException.class, () -> running.notTakingOver(one, options)).getMessage();
    assertTrue(why.contains("none is: executor runs"), why);
    UpSettings two = settings("--take-over", "--executors", "2");
    assertEquals(List.of("executor"), running.notTakingOver(two, options));
    assertEquals(List.of(), running.notTakingOver(settings(), options));
  }
}
