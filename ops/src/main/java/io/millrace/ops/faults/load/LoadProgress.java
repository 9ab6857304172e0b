package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Follows the ledger while the load runs: which jobs have ended, which runs are open, and when
 * anything last changed.
 */
public final class LoadProgress implements AutoCloseable {

  /** A run that was granted and has not ended. */
  public record OpenRun(String jobId, int run, String token) {}

  private final LedgerConsumer ledger;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, String> tokens = new HashMap<>();
  private final Set<String> ended = new HashSet<>();
  private final Map<String, OpenRun> open = new HashMap<>();
  private long changedNanos = System.nanoTime();
  private volatile boolean closed;
  private RuntimeException failure;

  public LoadProgress(LedgerConsumer ledger) {
    this.ledger = ledger;
    this.thread = new Thread(this::follow, "progress");
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    try {
      while (!closed) {
        List<LedgerEntry> entries = ledger.next();
        if (!entries.isEmpty()) {
          note(entries);
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

  private void note(List<LedgerEntry> entries) {
    lock.lock();
    try {
      for (LedgerEntry entry : entries) {
        if (JobHistories.jobOf(entry.fact()).isPresent()) {
          changedNanos = System.nanoTime();
          note(entry);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void note(LedgerEntry entry) {
    if (entry.fact() instanceof JobQueued queued) {
      tokens.put(queued.getJob().getId(), queued.getJob().getSpec().getName());
    } else if (entry.fact() instanceof RunGranted granted) {
      String id = granted.getJobId();
      open.put(id, new OpenRun(id, granted.getRun(), tokens.getOrDefault(id, "")));
    } else if (entry.fact() instanceof RunRequeued requeued) {
      open.remove(requeued.getJobId());
    } else if (entry.fact() instanceof RunFinished finished) {
      open.remove(finished.getJobId());
      ended.add(finished.getJobId());
    } else if (entry.fact() instanceof JobDeleted deleted) {
      ended.add(deleted.getJobId());
    }
  }

  int queued() {
    return locked(tokens::size);
  }

  int ended() {
    return locked(ended::size);
  }

  public List<OpenRun> openRuns() {
    return locked(() -> new ArrayList<>(open.values()));
  }

  private <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until at least so many jobs have been queued; false when the time is up. */
  public boolean awaitOpenRuns(int count, long patienceMs) throws InterruptedException {
    return await(() -> open.size() >= count, patienceMs, false);
  }

  /**
   * Waits until all these jobs have ended; false when nothing has changed for so long.
   *
   * @param jobIds ids that qsub printed
   */
  public boolean awaitEnds(Set<String> jobIds, long patienceMs) throws InterruptedException {
    return await(() -> ended.containsAll(jobIds) && open.isEmpty(), patienceMs, true);
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
