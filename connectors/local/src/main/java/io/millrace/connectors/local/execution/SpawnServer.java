package io.millrace.connectors.local.execution;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The supervisor program in its role as a server: one line with a run directory forks one
 * supervisor. Forking from a small C program is some hundred times cheaper than from a JVM.
 *
 * <p>A line may be lost when the server dies, and may be sent twice: a second supervisor for the
 * same run finds the lock held and leaves.
 */
final class SpawnServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SpawnServer.class);

  private final Path program;
  private Process process;
  private OutputStream lines;

  private SpawnServer(Path program) {
    this.program = program;
  }

  /**
   * Starts the program.
   *
   * @throws IOException with one clear line when it cannot be executed
   */
  static SpawnServer open(Path program) throws IOException {
    if (!Files.isExecutable(program)) {
      throw new IOException(
          "supervisor program " + program + " does not exist or is not executable");
    }
    SpawnServer server = new SpawnServer(program);
    server.startProcess();
    return server;
  }

  /** Sends the server a run directory; returns whether it took it. */
  synchronized boolean launch(Path runDirectory) {
    try {
      lines.write((runDirectory + "\n").getBytes(StandardCharsets.UTF_8));
      lines.flush();
      return true;
    } catch (IOException e) {
      log.warn("the spawn server is gone: {}", e.getMessage());
      return false;
    }
  }

  /** Starts the server again if it has died; returns whether it had. */
  synchronized boolean revive() throws IOException {
    if (process.isAlive()) {
      return false;
    }
    log.warn("the spawn server ended with status {}; starting another one", process.exitValue());
    startProcess();
    return true;
  }

  /** Lets the server end; supervisors live on. */
  @Override
  public synchronized void close() {
    try {
      lines.close();
    } catch (IOException e) {
      log.debug("the spawn server was gone already: {}", e.getMessage());
    }
  }

  private void startProcess() throws IOException {
    process =
        new ProcessBuilder(program.toString(), "serve")
            .directory(Path.of("/").toFile())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    lines = process.getOutputStream();
  }
}
