package io.millrace.connectors.forward;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The executors of the nodes of a cluster: how far all of them are, and their common end. */
final class NodeExecutors implements Closeable {
  private final Map<String, NodeExecutor> executors = new ConcurrentSkipListMap<>();

  /** Hosts that have no executor, but had one that has read orders. */
  private final Map<String, LeftOrders> left = new ConcurrentHashMap<>();

  private volatile boolean known;
  private boolean closed;

  /** The first order of a host that nobody reads. */
  private record LeftOrders(int partition, long offset) {}

  /**
   * @throws IOException when all were closed before; this one is closed then too
   */
  void add(String host, NodeExecutor executor) throws IOException {
    boolean late;
    synchronized (this) {
      late = closed;
      executors.put(host, executor);
      left.remove(host);
    }
    if (late) {
      executor.close();
      throw new IOException("closed");
    }
  }

  /**
   * A host gets no executor now.
   *
   * @param partition of its orders
   * @param reached how far an earlier executor of it has read them; empty when there was none
   */
  void leave(String host, int partition, OptionalLong reached) {
    reached.ifPresent(offset -> left.put(host, new LeftOrders(partition, offset)));
  }

  /** All hosts of earlier lives have been added or left. */
  void allAreKnown() {
    known = true;
  }

  boolean has(String host) {
    return executors.containsKey(host);
  }

  int size() {
    return executors.size();
  }

  /** Why other executors serve all nodes, in one line; empty while one is served by this. */
  String dismissal() {
    List<String> all = executors.values().stream().map(NodeExecutor::dismissal).toList();
    return all.isEmpty() || all.contains("") ? "" : all.get(0);
  }

  /** What is in the way of serving any node, in one line; empty for nothing. */
  Optional<String> obstacle() {
    List<String> all = executors.values().stream().map(NodeExecutor::obstacle).toList();
    return all.contains("") ? Optional.of("") : all.stream().findFirst();
  }

  /** As {@link ServedCluster#carriedOut}. */
  OptionalLong carriedOut(int partition, long end) {
    if (!known) {
      return OptionalLong.empty(); // a host that is not open yet may be behind all others
    }
    long least = end;
    for (NodeExecutor each : executors.values()) {
      if (each.partition() == partition) {
        OptionalLong reached = each.reached();
        if (reached.isEmpty()) {
          return reached;
        }
        least = Math.min(least, reached.getAsLong());
      }
    }
    for (LeftOrders each : left.values()) {
      least = each.partition() == partition ? Math.min(least, each.offset()) : least;
    }
    return OptionalLong.of(least);
  }

  /** Returns when nothing of them works in the spool any more. */
  void awaitEnd() throws InterruptedException {
    for (NodeExecutor each : executors.values()) {
      each.awaitEnd();
    }
  }

  /**
   * Closes all, also when one cannot be closed; the faults of others are suppressed in the first.
   */
  @Override
  public void close() throws IOException {
    Collection<NodeExecutor> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(executors.values());
    }
    Exception first = null;
    for (NodeExecutor each : all) {
      try {
        each.close();
      } catch (IOException | RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first instanceof IOException fault) {
      throw fault;
    } else if (first instanceof RuntimeException fault) {
      throw fault;
    }
  }
}
