package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The program whose processes do not want to be found, and take what they can get. */
final class AttackProgram {
  private AttackProgram() {}

  static Path into(Path directory) throws IOException, InterruptedException {
    Path program = directory.resolve("attack");
    if (Files.exists(program)) {
      return program;
    }
    Path source = Path.of("src/test/c/attack.c").toAbsolutePath();
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("cc", "-O2", "-o", program + "", source + "").inheritIO().start();
    } catch (IOException e) {
      System.err.println("SKIPPED: no C compiler here, nothing is attacked");
      Assumptions.abort("no C compiler");
      throw e;
    }
    assertEquals(0, compiler.waitFor());
    return program;
  }
}
