package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script millrace in a tree whose build, compiler and Java are a few lines of shell. */
class BuildOnceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @TempDir Path tree;

  private Path program(String name, String text) throws IOException {
    Path program = tree.resolve(name);
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n" + text);
    assertTrue(program.toFile().setExecutable(true));
    return program;
  }

  private void makeTree() throws IOException {
    Path root = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    Files.copy(root.resolve("millrace"), tree.resolve("millrace"));
    assertTrue(tree.resolve("millrace").toFile().setExecutable(true));
    for (String module :
        List.of("schemas", "reservations", "schedulers", "server", "connectors", "ops")) {
      Files.createDirectories(tree.resolve(module));
    }
    Files.writeString(tree.resolve("pom.xml"), "");
    program("jdk/bin/java", "echo started\n");
    program("jdk/bin/javac", "echo javac 17.0.1\n");
    program(
        "mvnw",
        "echo begun >>begun\n"
            + "until [ -e go ]; do sleep 0.05; done\n"
            + "mkdir -p ops/target/dist/lib\n");
  }

  private Process up(String name) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(tree.resolve("millrace").toString(), "up")
            .redirectErrorStream(true)
            .redirectOutput(tree.resolve(name).toFile());
    builder.environment().put("JAVA_HOME", tree.resolve("jdk").toString());
    builder.environment().remove("MILLRACE_NO_BUILD");
    return builder.start();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptions()
        .until(condition);
  }

  @Test
  void theSecondOfTwoFirstCommandsWaitsAndBuildsNothing() throws Exception {
    makeTree();
    Process one = up("one");
    Process other = null;
    try {
      await(() -> Files.exists(tree.resolve("begun")));
      other = up("other");
      await(() -> Files.readString(tree.resolve("other")).contains("another ./millrace builds"));
      assertTrue(one.isAlive());
      Files.createFile(tree.resolve("go"));
      for (Process each : List.of(one, other)) {
        assertTrue(each.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertEquals(0, each.exitValue());
      }
    } finally {
      Files.writeString(tree.resolve("go"), "");
      one.destroy();
      if (other != null) {
        other.destroy();
      }
    }
    assertEquals(List.of("begun"), Files.readAllLines(tree.resolve("begun")));
    assertTrue(Files.readString(tree.resolve("one")).endsWith("started\n"));
    assertTrue(Files.readString(tree.resolve("other")).endsWith("started\n"));
    assertFalse(Files.readString(tree.resolve("other")).contains("building"));
  }
}
