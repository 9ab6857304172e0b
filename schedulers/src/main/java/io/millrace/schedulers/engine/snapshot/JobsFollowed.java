package io.millrace.schedulers.engine.snapshot;

import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * Has the jobs of a snapshot followed in their order, those of a long queue by a thread of its own
 * while the caller reads the next ones: with a million jobs that is a third of a server's restart.
 *
 * <p>Simple semantics: each job is followed when it is taken, and all have been when this is
 * closed.
 */
public final class JobsFollowed implements AutoCloseable {

  /** Jobs that are handed over together; a snapshot of fewer needs no thread. */
  static final int BATCH = 1_000;

  /** Batches that may wait, so that reading ahead takes bounded memory. */
  private static final int BATCHES_MAX = 8;

  private final Consumer<Job> each;
  private final BlockingQueue<List<Job>> batches = new ArrayBlockingQueue<>(BATCHES_MAX);
  private List<Job> batch = new ArrayList<>();
  private Thread thread;
  private volatile RuntimeException failure;

  /**
   * @param each called by one thread at a time
   */
  public JobsFollowed(Consumer<Job> each) {
    this.each = each;
  }

  public void take(Job job) {
    batch.add(job);
    if (batch.size() == BATCH) {
      if (thread == null) {
        thread = new Thread(this::follow, "jobs-followed");
        thread.setDaemon(true);
        thread.start();
      }
      hand(batch);
      batch = new ArrayList<>(BATCH);
    }
  }

  private void follow() {
    try {
      for (List<Job> next = batches.take(); !next.isEmpty(); next = batches.take()) {
        if (failure == null) {
          followAll(next);
        }
      }
    } catch (InterruptedException e) {
      failure = interrupted(e);
    }
  }

  /** After a failure the rest is only taken away, so that the caller does not wait for ever. */
  private void followAll(List<Job> jobs) {
    try {
      jobs.forEach(each);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void hand(List<Job> jobs) {
    try {
      batches.put(jobs);
    } catch (InterruptedException e) {
      thread.interrupt();
      throw interrupted(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while jobs were followed", e);
  }

  /**
   * Returns when all jobs have been followed.
   *
   * @throws RuntimeException that one of them has led to
   */
  @Override
  public void close() {
    if (thread == null) {
      batch.forEach(each);
      return;
    }
    if (!batch.isEmpty()) {
      hand(batch);
    }
    hand(List.of());
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      throw interrupted(e);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
