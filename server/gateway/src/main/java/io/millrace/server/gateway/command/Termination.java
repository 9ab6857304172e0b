package io.millrace.server.gateway.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends what PBS calls the server, this gateway too: by the program that whoever started them left
 * in the home. Executors, and what they run, go on.
 */
final class Termination {
  private static final String PROGRAM = "etc/terminate";
  private static final String PRINTED = "log/qterm.out";
  private static final int REFUSED = 2;

  private Termination() {}

  /**
   * Comes back when the end has begun: nobody could answer after it.
   *
   * @throws Failure where nobody left such a program, or it cannot be executed
   */
  static int begin(Call call) throws Failure {
    Path home = Path.of(call.site().home());
    Path program = home.resolve(PROGRAM);
    if (call.site().home().isEmpty() || !Files.isExecutable(program)) {
      throw call.failure("a system is ended where it was started: ./millrace down", REFUSED);
    }
    File printed = home.resolve(PRINTED).toFile();
    try {
      Files.createDirectories(printed.toPath().getParent());
      new ProcessBuilder(program.toString())
          .directory(home.toFile())
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(printed)
          .start();
      return 0;
    } catch (IOException e) {
      throw call.failure("the server cannot be ended: " + e.getMessage(), REFUSED);
    }
  }
}
