package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideBridge;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that calls the bridge of a cluster. */
final class BridgeThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BridgeThread.class);

  private static final long TICK_MS = 200;
  private static final long PAUSE_MS = 2_000;

  /** A question or an order to the bridge. */
  interface BridgeCall<T> {
    T on(OutsideBridge bridge) throws IOException, InterruptedException;
  }

  /** Looks at the bridge after each of its steps. */
  interface Watcher {
    void look(OutsideBridge bridge) throws IOException, InterruptedException;
  }

  private final OutsideBridge bridge;
  private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "millrace-bridge");
  private volatile boolean closed;

  BridgeThread(OutsideBridge bridge) {
    this.bridge = bridge;
  }

  void start() {
    thread.start();
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  /** Calls the bridge and waits for what it says. */
  <T> T call(BridgeCall<T> call) throws IOException, InterruptedException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    calls.add(
        () -> {
          try {
            answer.complete(call.on(bridge));
          } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new IOException("closed", e));
          }
        });
    try {
      while (true) {
        try {
          return answer.get(PAUSE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (!thread.isAlive()) {
            // It came after the last look at the calls.
            throw new IOException("closed", e);
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** Has the bridge called soon; one that fails is logged. */
  void later(String what, BridgeCall<?> call) {
    calls.add(
        () -> {
          try {
            call.on(bridge);
          } catch (IOException e) {
            log.error("{}: {}", what, e.toString());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void run() {
    while (!closed) {
      try {
        Runnable call = calls.poll(TICK_MS, TimeUnit.MILLISECONDS);
        while (call != null) {
          call.run();
          call = calls.poll();
        }
        bridge.step();
        for (Watcher watcher : watchers) {
          watcher.look(bridge);
        }
      } catch (IOException | RuntimeException e) {
        log.error("the cluster's runs cannot be followed; trying again", e);
        pause();
      } catch (InterruptedException e) {
        closed = true;
      }
    }
    calls.forEach(Runnable::run); // nobody waits for ever
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Returns when it has ended. */
  void awaitEnd() throws InterruptedException {
    thread.join();
  }

  /** Ends after the step that is under way; what is outside goes on. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
