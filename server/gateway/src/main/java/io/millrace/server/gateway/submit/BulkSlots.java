package io.millrace.server.gateway.submit;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bulk submissions that a gateway works on at once: each may hold some 16 MiB of scripts
 * and commands. Others wait for their turn.
 */
final class BulkSlots {
  static final int MOST = 3;

  /** Keeps one place for others than the busiest user. */
  static final int MOST_OF_USER = 2;

  private final Map<String, Integer> byUser = new HashMap<>();
  private int taken;

  /** The right to one bulk submission, until it is closed. */
  interface BulkSlot extends AutoCloseable {
    @Override
    void close();
  }

  synchronized BulkSlot take(String user) throws InterruptedException {
    while (taken >= MOST || byUser.getOrDefault(user, 0) >= MOST_OF_USER) {
      wait();
    }
    taken++;
    byUser.merge(user, 1, Integer::sum);
    return () -> leave(user);
  }

  private synchronized void leave(String user) {
    taken--;
    byUser.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }
}
