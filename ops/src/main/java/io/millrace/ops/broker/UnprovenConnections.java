package io.millrace.ops.broker;

import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import kafka.network.DataPlaneAcceptor;
import kafka.network.SocketServer;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.Selector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections to the broker that do not prove who they are. Kafka leaves them for as long as
 * all others, ten minutes, and at a bound of connections it takes no new ones: since all users of a
 * host have one address, one who says nothing could keep out the parts. Here a connection has a few
 * seconds for its login, and of those that have not logged in yet a bounded number is left, the
 * youngest: a part logs in at once.
 */
final class UnprovenConnections implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(UnprovenConnections.class);
  private static final long ROUND_MS = 1_000;

  /** On a very busy machine a login takes some seconds. */
  private static final long LOGIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Of each thread of a listener; after a restart all hosts log in at the same time. */
  private static final int MOST = 512;

  private final List<SocketServer> servers;
  private final int connections;
  private final Field keys;
  private final Map<SelectionKey, Long> seen = new HashMap<>();
  private final SparseLog log = new SparseLog(LOG::warn, System::nanoTime);
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "unproven-connections");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param connections most that each of the servers takes, of all kinds
   */
  UnprovenConnections(List<SocketServer> servers, int connections) {
    this.servers = servers;
    this.connections = connections;
    try {
      // Kafka has no setting for it, and no other way to its connections.
      this.keys = Selector.class.getDeclaredField("nioSelector");
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("this Kafka keeps its connections elsewhere", e);
    }
    keys.setAccessible(true);
  }

  void begin() {
    clock.scheduleWithFixedDelay(this::round, ROUND_MS, ROUND_MS, TimeUnit.MILLISECONDS);
  }

  private void round() {
    try {
      Map<SelectionKey, Long> still = new HashMap<>();
      for (SocketServer server : servers) {
        List<Selector> threads = new ArrayList<>();
        for (DataPlaneAcceptor acceptor : server.dataPlaneAcceptors().values()) {
          for (int i = 0; i < acceptor.processors().size(); i++) {
            threads.add(acceptor.processors().apply(i).selector());
          }
        }
        for (Selector thread : threads) {
          round(thread, mostOfThread(connections, threads.size()), still);
        }
      }
      seen.clear();
      seen.putAll(still);
    } catch (ClosedSelectorException | IndexOutOfBoundsException e) {
      LOG.debug("a listener has ended", e);
    } catch (RuntimeException | IllegalAccessException e) {
      LOG.error("connections without a login are not ended", e);
    }
  }

  /** How many that have not logged in a thread may have: all together half of the places. */
  static int mostOfThread(int connections, int threads) {
    return Math.max(1, Math.min(MOST, connections / 2 / threads));
  }

  private void round(Selector selector, int most, Map<SelectionKey, Long> still)
      throws IllegalAccessException {
    long now = System.nanoTime();
    List<SelectionKey> unproven = new ArrayList<>();
    for (SelectionKey key : ((java.nio.channels.Selector) keys.get(selector)).keys()) {
      if (key.attachment() instanceof KafkaChannel channel && !channel.ready()) {
        unproven.add(key);
        still.put(key, seen.getOrDefault(key, now));
      }
    }
    unproven.sort((one, other) -> Long.signum(still.get(one) - still.get(other)));
    for (int i = 0; i < unproven.size(); i++) {
      SelectionKey key = unproven.get(i);
      if (i < unproven.size() - most || now - still.get(key) > LOGIN_NANOS) {
        end(key);
      }
    }
  }

  /** Kafka sees the end of what comes, and closes the connection itself. */
  private void end(SelectionKey key) {
    String address = ((KafkaChannel) key.attachment()).socketDescription();
    log.say("ended a connection from " + address + " that did not log in");
    try {
      ((SocketChannel) key.channel()).shutdownInput();
    } catch (IOException e) {
      LOG.debug("a connection had ended", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
