package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The two supervisor programs under test. */
public final class Supervisors {
  private static final Path SOURCES = Path.of("src", "main").toAbsolutePath();

  private Supervisors() {}

  /** The C program, compiled by the first of the classes that run at once, in several machines. */
  public static synchronized Path compiled() throws IOException, InterruptedException {
    Path program = Path.of("target", "millrace-supervisor").toAbsolutePath();
    try (FileChannel lock =
        FileChannel.open(
            Path.of(program + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      if (!Files.exists(program) || !newest(program)) {
        compile(program);
      }
    }
    return program;
  }

  private static void compile(Path program) throws IOException, InterruptedException {
    Path source = SOURCES.resolve("c/millrace-supervisor.c");
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  "cc",
                  "-O2",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-Wl,-z,now",
                  "-o",
                  program + ".new",
                  source + "")
              .inheritIO()
              .start();
    } catch (IOException e) {
      System.err.println("SKIPPED: no C compiler here, the C supervisor is not tested");
      Assumptions.abort("no C compiler");
      throw e;
    }
    assertEquals(0, compiler.waitFor(), "the C supervisor must compile without a warning");
    Files.move(Path.of(program + ".new"), program, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean newest(Path program) throws IOException {
    for (Path source : Spool.list(SOURCES.resolve("c"))) {
      if (Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) <= 0) {
        return false;
      }
    }
    return true;
  }

  /** Both, for each test of what a supervisor does. */
  static Stream<Path> both() throws IOException, InterruptedException {
    return Stream.of(compiled(), shell());
  }

  /** Both at night: a run in shell takes half a second of processor time. */
  static Stream<Path> shellAtNight() throws IOException, InterruptedException {
    return ExecutionFixture.NIGHT ? both() : Stream.of(compiled());
  }

  public static Path shell() {
    return SOURCES.resolve("sh/millrace-supervisor.sh");
  }
}
