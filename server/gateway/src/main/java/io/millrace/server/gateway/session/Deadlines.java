package io.millrace.server.gateway.session;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that closes open connections whose time limit has passed. */
final class Deadlines implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
  private static final long LONGEST_ROUND_MS = 1_000;
  private static final long SHORTEST_ROUND_MS = 10;

  private final Set<FrameSocket> watched = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock;

  /**
   * The interval of checks is a quarter of the shortest limit, so that no limit is exceeded by
   * more.
   */
  Deadlines(Duration shortestLimit) {
    long quarter = shortestLimit.toMillis() / 4;
    long roundMs = Math.max(SHORTEST_ROUND_MS, Math.min(LONGEST_ROUND_MS, quarter));
    clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "session-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    clock.scheduleWithFixedDelay(this::round, roundMs, roundMs, TimeUnit.MILLISECONDS);
  }

  void watch(FrameSocket socket) {
    watched.add(socket);
  }

  void forget(FrameSocket socket) {
    watched.remove(socket);
  }

  /** Ends every connection: the gateway stops. */
  void closeAll() {
    watched.forEach(Deadlines::end);
  }

  private void round() {
    for (FrameSocket socket : watched) {
      try {
        socket.closeIfLate();
      } catch (IOException e) {
        LOG.warn("closing the connection of a late client: {}", e.getMessage());
      }
    }
  }

  private static void end(FrameSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.warn("closing a connection: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
