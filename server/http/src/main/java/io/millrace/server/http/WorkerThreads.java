package io.millrace.server.http;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that carry out requests; one that takes too long is interrupted. */
final class WorkerThreads implements AutoCloseable {

  private static final long IDLE_S = 60;
  private static final long FAREWELL_S = 3;

  private final Duration longest;
  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService clock;

  WorkerThreads(String name, HttpLimits.Workers limits, Duration longest) {
    this.longest = longest;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            IDLE_S,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.waiting()),
            task -> daemon(task, name + "-worker-" + number.incrementAndGet()));
    threads.allowCoreThreadTimeOut(true);
    ScheduledThreadPoolExecutor single =
        new ScheduledThreadPoolExecutor(1, task -> daemon(task, name + "-clock"));
    single.setRemoveOnCancelPolicy(true);
    this.clock = single;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Work that may be interrupted when its time is over. */
  interface InterruptibleWork {
    void run() throws InterruptedException;
  }

  /**
   * Carries it out soon.
   *
   * @param late told instead when it was interrupted
   * @return false when too many wait already
   */
  boolean submit(InterruptibleWork work, Runnable late) {
    try {
      threads.execute(() -> timed(work, late));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void timed(InterruptibleWork work, Runnable late) {
    Thread self = Thread.currentThread();
    Object gate = new Object();
    boolean[] over = {false};
    Future<?> alarm =
        clock.schedule(
            () -> {
              synchronized (gate) {
                if (!over[0]) {
                  self.interrupt();
                }
              }
            },
            longest.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      work.run();
    } catch (InterruptedException e) {
      late.run();
    } finally {
      synchronized (gate) {
        over[0] = true;
      }
      alarm.cancel(false);
      // The alarm may have come when the work was done already: the next one is not to feel it.
      Thread.interrupted();
    }
  }

  /** Requests that no thread has taken up yet. */
  int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(FAREWELL_S, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    clock.shutdownNow();
  }
}
