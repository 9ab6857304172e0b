package io.millrace.server.unprivileged;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the host, in folders that belong to root; nobody's search path is asked. */
record HostProgram(List<Path> folders) {

  static final HostProgram USUAL = new HostProgram(List.of(Path.of("/usr/bin"), Path.of("/bin")));

  private static final long PATIENCE_S = 5;

  /**
   * @param said what it printed, or its first complaint where it did not succeed
   */
  record ProgramEnd(boolean success, String said) {}

  Optional<String> find(String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /**
   * @throws RightsKept that says what it is needed for, when it is not there
   */
  String require(String name, String what) throws RightsKept {
    return find(name)
        .orElseThrow(() -> new RightsKept("there is no " + name + " on this host, " + what));
  }

  /** Runs a program that says less than a pipe holds. */
  static ProgramEnd run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        return new ProgramEnd(false, command.get(0) + " has not ended within " + PATIENCE_S + " s");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String first = said.lines().findFirst().orElse("exit status " + process.exitValue());
      return new ProgramEnd(process.exitValue() == 0, first);
    } finally {
      process.destroyForcibly();
    }
  }
}
