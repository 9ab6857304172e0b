package io.millrace.ops.faults.cluster;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What is out for some seconds and comes back by itself, whatever happens meanwhile. */
final class Outages implements AutoCloseable {

  /** Begins or ends an outage. */
  @FunctionalInterface
  interface OutageStep {
    void run() throws IOException, InterruptedException;
  }

  private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What ends each that is not over. */
  private final Map<String, OutageStep> open = new HashMap<>();

  private IOException failure;

  /**
   * Begins one.
   *
   * @param forMs how long it lasts
   * @return false when it has not ended since it was begun last
   */
  boolean begin(String name, long forMs, OutageStep out, OutageStep back)
      throws IOException, InterruptedException {
    lock.lock();
    try {
      if (open.containsKey(name)) {
        return false;
      }
      out.run();
      open.put(name, back);
      clock.schedule(() -> end(name), forMs, TimeUnit.MILLISECONDS);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void end(String name) {
    lock.lock();
    try {
      OutageStep back = open.get(name);
      if (back != null) {
        back.run();
        open.remove(name);
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /**
   * Waits until all are over.
   *
   * @throws IOException in one line, when one does not end
   */
  void awaitOver(long patienceMs) throws IOException, InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(patienceMs);
    lock.lock();
    try {
      while (!open.isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        if (left <= 0) {
          throw new IOException(open.keySet() + " does not end");
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends all at once. */
  @Override
  public void close() {
    clock.shutdownNow();
    lock.lock();
    try {
      for (String name : Map.copyOf(open).keySet()) {
        end(name);
      }
    } finally {
      lock.unlock();
    }
  }
}
