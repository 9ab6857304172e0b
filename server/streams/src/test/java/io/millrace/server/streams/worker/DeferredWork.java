package io.millrace.server.streams.worker;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Work that is done when the test says so, on its own thread. */
public final class DeferredWork extends AbstractExecutorService {
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  @Override
  public void execute(Runnable work) {
    waiting.add(work);
  }

  /** Does all that waits, and what comes of it; returns how much that was. */
  public int now() {
    int done = 0;
    for (; !waiting.isEmpty(); done++) {
      waiting.remove().run();
    }
    return done;
  }

  @Override
  public void shutdown() {
    waiting.clear();
  }

  @Override
  public List<Runnable> shutdownNow() {
    waiting.clear();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) {
    return true;
  }
}
