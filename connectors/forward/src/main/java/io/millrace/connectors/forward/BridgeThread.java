package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that calls the bridge of a cluster, but for orders, which another one notes. */
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
  private final Consumer<String> troubles;
  private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private final KeptCalls kept;
  private final Thread thread = new Thread(this::run, "millrace-bridge");

  /** Whoever is interrupted while he writes to the journal would close its file for all. */
  private final ExecutorService orders = thread("millrace-order");

  private volatile boolean closed;

  /** What has ended the thread though nobody has closed it; null while nothing has. */
  private volatile Error failure;

  /** What was told last; used by the thread only. */
  private String trouble = "";

  /** Why the last step failed; empty when it did not. Used by the thread only. */
  private String fault = "";

  /**
   * @param troubles told each change of what is wrong with the outside system, as {@link
   *     OutsideBridge#trouble} says it; empty when nothing is wrong any more
   */
  BridgeThread(OutsideBridge bridge, Consumer<String> troubles) {
    this.bridge = bridge;
    this.troubles = troubles;
    this.kept = new KeptCalls(bridge);
    bridge.onAnswer(this::wake);
  }

  private static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(
        work -> {
          Thread one = new Thread(work, name);
          one.setDaemon(true);
          return one;
        });
  }

  /** Nothing of an earlier process is submitted before it is known whether it is held. */
  void start() {
    bridge.keepAllBack();
    thread.start();
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  /** Calls the bridge and waits for what it says. */
  <T> T call(BridgeCall<T> call) throws IOException, InterruptedException {
    requireRunning();
    CompletableFuture<T> answer = new CompletableFuture<>();
    calls.add(
        () -> {
          try {
            answer.complete(call.on(bridge));
          } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
          } catch (Error e) {
            answer.completeExceptionally(e);
            throw e;
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

  /**
   * Orders a run. It is on the disk when this returns, and the bridge has not been waited for: many
   * come one after another, each of which would wait for a step.
   *
   * @return as {@link OutsideBridge#order}
   */
  boolean order(OutsideSubmission run) throws IOException, InterruptedException {
    requireRunning();
    try {
      boolean taken = orders.submit(() -> bridge.order(run)).get();
      wake();
      return taken;
    } catch (RejectedExecutionException e) {
      throw new IOException("closed", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private void wake() {
    calls.add(() -> {});
  }

  /**
   * Nothing is followed any more after an error, as of a class that is missing.
   *
   * @throws IOException when one has ended the thread
   */
  void requireRunning() throws IOException {
    Error error = failure;
    if (error != null) {
      throw new IOException("the cluster's runs are not followed any more: " + error, error);
    }
  }

  /**
   * Has the bridge called soon, and again while that fails.
   *
   * @param what is said of it then; of calls of which the same is said one is enough
   */
  void later(String what, BridgeCall<?> call) {
    calls.add(
        () -> {
          try {
            kept.make(what, call);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void run() {
    try {
      work();
    } catch (Error e) {
      failure = e;
      log.error("the cluster's runs are not followed any more", e);
    }
  }

  private void work() {
    while (!closed) {
      try {
        Runnable call = calls.poll(TICK_MS, TimeUnit.MILLISECONDS);
        while (call != null) {
          call.run();
          call = calls.poll();
        }
        kept.makeAgain();
        bridge.step();
        tellTrouble();
        for (Watcher watcher : watchers) {
          watcher.look(bridge);
        }
        followed();
      } catch (IOException | RuntimeException e) {
        notFollowed(e);
        pause();
      } catch (InterruptedException e) {
        closed = true;
      }
    }
    orders.shutdown();
    try {
      endCalls();
      bridge.awaitSubmissions();
      endCalls();
    } catch (IOException e) {
      log.error("what was submitted last is not noted, and is looked for later", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kept.end();
    }
  }

  /** Nobody waits for ever, and what came meanwhile is noted. */
  private void endCalls() throws InterruptedException {
    for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
      call.run();
    }
    kept.makeAgain();
  }

  /** Says so once, however often it is tried. */
  private void notFollowed(Exception why) {
    if (!fault.equals(why.toString())) {
      fault = why.toString();
      log.error("the cluster's runs cannot be followed; trying again", why);
    }
  }

  private void followed() {
    if (!fault.isEmpty()) {
      fault = "";
      log.info("the cluster's runs are followed again");
    }
  }

  private void tellTrouble() {
    String now = bridge.trouble().orElse("");
    if (!now.equals(trouble)) {
      trouble = now;
      troubles.accept(now);
    }
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

  /**
   * Ends after the step that is under way, and the commands of submissions; what is outside goes
   * on.
   */
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
