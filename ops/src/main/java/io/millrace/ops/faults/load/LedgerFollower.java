package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Follows a ledger on a thread of its own. What its listener keeps is looked at and waited for
 * under the lock under which the listener hears.
 */
final class LedgerFollower implements AutoCloseable {

  private final LedgerConsumer ledger;
  private final Predicate<LedgerEntry> listener;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long changedNanos = System.nanoTime();
  private volatile boolean closed;
  private RuntimeException failure;

  /**
   * @param listener hears each fact in its order; true for one that is progress
   */
  LedgerFollower(LedgerConsumer ledger, Predicate<LedgerEntry> listener, String name) {
    this.ledger = ledger;
    this.listener = listener;
    this.thread = new Thread(this::follow, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void follow() {
    try {
      while (!closed) {
        List<LedgerEntry> entries = ledger.next();
        if (!entries.isEmpty()) {
          hear(entries);
        }
      }
    } catch (RuntimeException e) {
      lock.lock();
      try {
        failure = e;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } finally {
      ledger.close();
    }
  }

  private void hear(List<LedgerEntry> entries) {
    lock.lock();
    try {
      for (LedgerEntry entry : entries) {
        if (listener.test(entry)) {
          changedNanos = System.nanoTime();
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a condition holds; false when the time is up. */
  boolean await(Supplier<Boolean> condition, long patienceMs) throws InterruptedException {
    return await(condition, patienceMs, false);
  }

  /** The same; false when there was no progress for so long. */
  boolean awaitWithProgress(Supplier<Boolean> condition, long patienceMs)
      throws InterruptedException {
    return await(condition, patienceMs, true);
  }

  private boolean await(Supplier<Boolean> condition, long patienceMs, boolean renewed)
      throws InterruptedException {
    long patience = TimeUnit.MILLISECONDS.toNanos(patienceMs);
    lock.lock();
    try {
      long begin = System.nanoTime();
      while (!condition.get()) {
        if (failure != null) {
          throw failure;
        }
        long since = renewed && changedNanos - begin > 0 ? changedNanos : begin;
        long left = since + patience - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
