package io.millrace.ops.outside.peer;

import java.io.IOException;
import java.util.Optional;

/** A batch system that serves until this is closed, or this process ends. */
public final class StartedPeer implements AutoCloseable {

  private final LivePeer peer;
  private final Thread hook;

  private StartedPeer(LivePeer peer) {
    this.peer = peer;
    this.hook = new Thread(() -> down(peer), "peer-down");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * @throws IOException in one line, when it cannot be had here
   */
  public static StartedPeer start(PeerCluster cluster) throws IOException, InterruptedException {
    LivePeer peer = new LivePeer(cluster);
    Optional<String> absent = peer.up();
    if (absent.isPresent()) {
      throw new IOException(absent.get());
    }
    return new StartedPeer(peer);
  }

  /**
   * @throws IOException in one line, when the caller cannot start one
   */
  public static void checkRoot(PeerCluster cluster) throws IOException {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new IOException("only root can start a " + cluster.system() + " here");
    }
  }

  public LivePeer live() {
    return peer;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    down(peer);
  }

  private static void down(LivePeer peer) {
    try {
      peer.down();
    } catch (IOException e) {
      System.err.println(peer.cluster().system() + " is left as it is: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
