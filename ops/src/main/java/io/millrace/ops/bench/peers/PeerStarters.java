package io.millrace.ops.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Scripts that start and stop batch systems, as those of init do: with {@code start} or {@code
 * stop} as their argument. What was started is stopped when this is closed.
 */
final class PeerStarters implements AutoCloseable {
  private static final int PATIENCE_S = 600;

  private final Map<String, Path> scripts;
  private final Deque<BatchSystem> started = new ArrayDeque<>();

  /**
   * @param scripts by the names of systems
   */
  PeerStarters(Map<String, Path> scripts) {
    this.scripts = Map.copyOf(scripts);
  }

  boolean has(BatchSystem system) {
    return scripts.containsKey(system.name());
  }

  /**
   * @throws IOException when it did not start; what its script left is stopped at the end too
   */
  void start(BatchSystem system) throws IOException, InterruptedException {
    started.push(system);
    call(system, "start");
    if (!system.serves()) {
      throw new IOException(scripts.get(system.name()) + " did not start " + system.title());
    }
  }

  private void call(BatchSystem system, String argument) throws IOException, InterruptedException {
    Path script = scripts.get(system.name());
    int status =
        exit(
            new ProcessBuilder("bash", script.toString(), argument),
            system.environment(),
            ProcessBuilder.Redirect.INHERIT); // it says why it fails
    if (status != 0) {
      throw new IOException(script + " " + argument + " failed with status " + status);
    }
  }

  /** Exit status of a command whose standard output nobody sees. */
  static int exit(
      ProcessBuilder builder, Map<String, String> environment, ProcessBuilder.Redirect errors)
      throws IOException, InterruptedException {
    builder.environment().putAll(environment);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(errors);
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("'" + String.join(" ", builder.command()) + "' did not end");
    }
    return process.exitValue();
  }

  /** Stops the others also when one cannot be stopped, which is told then. */
  @Override
  public void close() throws IOException, InterruptedException {
    IOException failure = null;
    while (!started.isEmpty()) {
      try {
        call(started.pop(), "stop");
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
