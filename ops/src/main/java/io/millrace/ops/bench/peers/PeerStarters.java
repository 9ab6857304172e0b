package io.millrace.ops.bench.peers;

import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What starts batch systems. Whatever was started is stopped when this is closed. */
final class PeerStarters implements AutoCloseable {
  private static final int PATIENCE_S = 600;

  private final Map<String, PeerStarter> starters;
  private final Deque<PeerStarter> started = new ArrayDeque<>();

  /** Starts and stops one system. */
  interface PeerStarter {

    /**
     * @return why it cannot be had on this machine; empty when it was started
     */
    Optional<String> start() throws IOException, InterruptedException;

    void stop() throws IOException, InterruptedException;
  }

  /**
   * @param starters by the names of systems
   */
  PeerStarters(Map<String, PeerStarter> starters) {
    this.starters = Map.copyOf(starters);
  }

  /**
   * @return why it is not there; empty when it serves now
   * @throws IOException when it did not start; what is left of it is stopped at the end too
   */
  Optional<String> start(BatchSystem system) throws IOException, InterruptedException {
    PeerStarter starter = starters.get(system.name());
    if (starter == null) {
      return Optional.of("it does not serve on this machine");
    }
    started.push(starter);
    Optional<String> absent = starter.start();
    if (absent.isEmpty() && !system.serves()) {
      throw new IOException(system.title() + " was started and does not serve");
    }
    return absent;
  }

  /** A script that is called with {@code start} or {@code stop}, as those of init are. */
  static PeerStarter ofScript(Path script, Map<String, String> environment) {
    return new PeerStarter() {
      @Override
      public Optional<String> start() throws IOException, InterruptedException {
        call("start");
        return Optional.empty();
      }

      @Override
      public void stop() throws IOException, InterruptedException {
        call("stop");
      }

      private void call(String argument) throws IOException, InterruptedException {
        int status =
            exit(
                new ProcessBuilder("bash", script.toString(), argument),
                environment,
                ProcessBuilder.Redirect.INHERIT); // it says why it fails
        if (status != 0) {
          throw new IOException(script + " " + argument + " failed with status " + status);
        }
      }
    };
  }

  /**
   * A system of Debian's packages, which are installed where they are not there.
   *
   * @param user that this process belongs to
   */
  static PeerStarter ofPackages(PeerCluster cluster, String user) throws IOException {
    LivePeer peer = new LivePeer(cluster);
    return new PeerStarter() {
      private boolean called;

      @Override
      public Optional<String> start() throws IOException, InterruptedException {
        if (!user.equals("root")) {
          return Optional.of("it does not serve, and only root can install and start it");
        }
        called = true;
        return peer.up();
      }

      @Override
      public void stop() throws IOException, InterruptedException {
        if (called) {
          peer.down();
        }
      }
    };
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
        started.pop().stop();
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
