package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that watches the spool: it is notified of new files in the events directory, and
 * sweeps from time to time to find what no event announced.
 */
public final class SpoolWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SpoolWatch.class);
  private static final long SWEEP_GAP_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Callbacks, always from the thread of the watch. */
  public interface SpoolWatcher {
    /** Called once, before all others. */
    void begin() throws IOException;

    /** A file of this name appeared in the events directory. */
    void appeared(String fileName) throws IOException;

    /** Called about once a second, to find what no event announced. */
    void sweep() throws IOException;
  }

  private final WatchService service;
  private final SpoolWatcher listener;
  private final Thread thread;
  private volatile boolean closed;

  public SpoolWatch(Path events, SpoolWatcher listener) throws IOException {
    this.listener = listener;
    this.service = events.getFileSystem().newWatchService();
    events.register(service, StandardWatchEventKinds.ENTRY_CREATE);
    this.thread = new Thread(this::run, "millrace-spool");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    service.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    guarded(listener::begin);
    long nextSweep = System.nanoTime() + SWEEP_GAP_NANOS;
    while (!closed) {
      try {
        WatchKey key = service.poll(nextSweep - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (key != null) {
          for (WatchEvent<?> event : key.pollEvents()) {
            // An overflow has no name; the sweep covers it.
            if (event.context() instanceof Path name) {
              guarded(() -> listener.appeared(name.toString()));
            }
          }
          key.reset();
        }
      } catch (InterruptedException e) {
        continue; // close() interrupts
      }
      if (System.nanoTime() - nextSweep >= 0) {
        guarded(listener::sweep);
        nextSweep = System.nanoTime() + SWEEP_GAP_NANOS;
      }
    }
  }

  /** Something that looks at the spool. */
  public interface SpoolStep {
    void run() throws IOException;
  }

  /** One bad run must not silence the others: what failed is tried again by the next sweep. */
  private static void guarded(SpoolStep step) {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      log.error("the spool could not be read; trying again", e);
    }
  }
}
