package io.millrace.server.gateway.admin;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Ends what PBS calls the server, this gateway included, by the program that the starter of the
 * parts left in the home. Executors and runs go on.
 */
final class TerminateProgram {
  private static final String PROGRAM = "etc/terminate";
  private static final String PRINTED = "log/qterm.out";
  private static final int REFUSED = 2;

  /** Logs are for the owner of the home and its group. */
  private static final FileAttribute<Set<PosixFilePermission>> LOG =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

  /** The line by which the program says that nothing keeps it from ending the server. */
  private static final String BEGUN = "ending the server";

  private static final long WAIT_S = 20;
  private static final long LOOK_MS = 10;

  private TerminateProgram() {}

  /**
   * @throws Failure where nobody left such a program, or it cannot be executed
   */
  static void require(Call call) throws Failure {
    Path program = Path.of(call.site().home()).resolve(PROGRAM);
    if (call.site().home().isEmpty() || !Files.isExecutable(program)) {
      throw call.failure("a system is ended where it was started: ./millrace down", REFUSED);
    }
  }

  /**
   * Returns when the end has begun, since nothing could be answered after it.
   *
   * @return the program's status where it ended before that, with its text as an error
   * @throws Failure where nobody left such a program, or it cannot be executed
   */
  static int begin(Call call) throws Failure, InterruptedException {
    require(call);
    Path home = Path.of(call.site().home());
    Path program = home.resolve(PROGRAM);
    Path printed = home.resolve(PRINTED);
    Process process;
    long before;
    try {
      Files.createDirectories(printed.getParent());
      Set<StandardOpenOption> made = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      Files.newByteChannel(printed, made, LOG).close();
      before = Files.size(printed);
      process =
          new ProcessBuilder(program.toString())
              .directory(home.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(printed.toFile()))
              .start();
    } catch (IOException e) {
      throw call.failure("the server cannot be ended: " + e.getMessage(), REFUSED);
    }
    return begun(call, process, printed, before);
  }

  private static int begun(Call call, Process process, Path printed, long before)
      throws Failure, InterruptedException {
    String why = "the end had not begun after " + WAIT_S + " s";
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
      while (System.nanoTime() < deadline) {
        boolean ended = process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS);
        String said = behind(printed, before);
        if (said.lines().anyMatch(BEGUN::equals)) {
          return 0;
        }
        if (ended) {
          if (process.exitValue() != 0) {
            throw call.failure(said.strip(), process.exitValue());
          }
          return 0;
        }
      }
    } catch (IOException e) {
      why = "what ends the server says cannot be read: " + e;
    }
    // After the answer that the server goes on, the program must not end it.
    process.destroyForcibly().waitFor();
    throw call.failure(why + ", and was given up: see " + printed, REFUSED);
  }

  /**
   * Output of the program so far; the file may begin with output of earlier ones, unless it was
   * truncated meanwhile.
   */
  private static String behind(Path printed, long before) throws IOException {
    try (InputStream in = Files.newInputStream(printed)) {
      in.skipNBytes(Files.size(printed) < before ? 0 : before);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
