package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Execution without processes, for benchmarks: a run starts at once and ends with status 0 after a
 * constant time. Nothing survives the process; runs of an earlier process are accepted again.
 */
public final class NullExecution implements Execution {
  /** Most unfinished runs; beyond that {@link #start} blocks. */
  private static final int RUNS_MAX = 100_000;

  private final long durationMs;
  private final RunObserver observer;
  private final AtomicLong sessions = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final Map<RunId, NullRun> runs = new HashMap<>();
  private final PriorityQueue<NullRun> endings = new PriorityQueue<>();
  private final Thread thread;
  private boolean closed;

  /**
   * @param durationMs how long a run takes; with 0 its end is reported from {@link #start}
   * @param observer hears of starts from the thread that calls {@link #start}
   */
  public NullExecution(long durationMs, RunObserver observer) {
    this.durationMs = durationMs;
    this.observer = observer;
    this.thread = new Thread(this::end, "millrace-null-executor");
    thread.setDaemon(true);
    thread.start();
  }

  /** A run and the time of its end; {@code endMs} of 0 says that it is over. */
  private static final class NullRun implements Comparable<NullRun> {
    final StartedRun start;
    final int ncpus;
    long endMs;
    int exitStatus;

    NullRun(StartedRun start, int ncpus, long endMs) {
      this.start = start;
      this.ncpus = ncpus;
      this.endMs = endMs;
    }

    @Override
    public int compareTo(NullRun other) {
      return Long.compare(endMs, other.endMs);
    }
  }

  @Override
  public boolean start(RunRequest request) throws InterruptedException {
    long now = System.currentTimeMillis();
    StartedRun start =
        new StartedRun(request.id(), request.terms().origin(), sessions.incrementAndGet(), now);
    NullRun ending = new NullRun(start, request.context().ncpus(), now + durationMs);
    lock.lockInterruptibly();
    try {
      while (runs.size() >= RUNS_MAX) {
        room.await();
      }
      if (runs.putIfAbsent(request.id(), ending) != null) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    observer.started(start);
    if (durationMs == 0) {
      finish(ending);
      return true;
    }
    lock.lock();
    try {
      endings.add(ending);
      if (endings.peek() == ending) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
    return true;
  }

  @Override
  public boolean kill(RunId id, int signal) {
    lock.lock();
    try {
      NullRun ending = runs.get(id);
      if (ending == null || !endings.remove(ending)) {
        return false;
      }
      ending.exitStatus = 256 + signal;
      ending.endMs = System.currentTimeMillis();
      endings.add(ending);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean discard(RunId id) {
    return kill(id, 9);
  }

  /** There is no process to suspend: the run ends at its time. */
  @Override
  public boolean order(RunId id, int number, String order) {
    return knows(id);
  }

  /** Its runs have no output. */
  @Override
  public void write(RunId id, boolean output, String line) {}

  @Override
  public void release(RunId id) {
    lock.lock();
    try {
      runs.remove(id);
      room.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean knows(RunId id) {
    lock.lock();
    try {
      return runs.containsKey(id);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<RunId> runs() {
    lock.lock();
    try {
      return List.copyOf(runs.keySet());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<StartedRun> begun() {
    lock.lock();
    try {
      return runs.values().stream().map(run -> run.start).toList();
    } finally {
      lock.unlock();
    }
  }

  /** There is no process that could use anything. */
  @Override
  public Optional<RunUsage> sample(RunId id) {
    return knows(id) ? Optional.of(new RunUsage(0, 0, 0, 0)) : Optional.empty();
  }

  @Override
  public boolean survives() {
    return false;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    for (NullRun ending = next(); ending != null; ending = next()) {
      finish(ending);
    }
  }

  /** Waits for the next run that is due; null after {@link #close}. */
  private NullRun next() {
    lock.lock();
    try {
      while (!closed) {
        NullRun first = endings.peek();
        long wait = first == null ? Long.MAX_VALUE : first.endMs - System.currentTimeMillis();
        if (wait <= 0) {
          return endings.remove();
        }
        if (first == null) {
          changed.awaitUninterruptibly();
        } else {
          changed.awaitNanos(wait * 1_000_000);
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void finish(NullRun ending) {
    StartedRun start = ending.start;
    long now = System.currentTimeMillis();
    RunUsage usage = new RunUsage(0, now - start.startedMs(), 0, 0);
    RunOutcome.RunEndReason reason =
        ending.exitStatus == 0 ? RunOutcome.RunEndReason.EXITED : RunOutcome.RunEndReason.SIGNALLED;
    RunOutcome outcome =
        new RunOutcome(
            ending.exitStatus,
            reason,
            usage,
            ending.ncpus,
            new RunOutcome.StartAndEnd(start.startedMs(), now),
            "");
    observer.finished(new FinishedRun(start.id(), start.origin(), outcome, PrintedOutput.NOTHING));
  }
}
