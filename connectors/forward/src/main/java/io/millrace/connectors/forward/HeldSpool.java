package io.millrace.connectors.forward;

import io.millrace.connectors.local.spool.HeldFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A spool that nobody else has.
 *
 * @param path of it
 * @param lock of a file in it
 */
record HeldSpool(Path path, HeldFile lock) implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HeldSpool.class);

  /** How long the end of the work in it is waited for, before it goes on alone. */
  private static final long PATIENCE_MS = 5_000;

  /** How often one that stands by looks whether the spool is free. */
  private static final long WAIT_MS = 500;

  /**
   * Takes a spool.
   *
   * @param waiting called once before it waits
   * @throws IOException also when it is interrupted while it waits
   */
  static HeldSpool await(Path spool, Runnable waiting) throws IOException {
    Files.createDirectories(spool);
    Path path = spool.toRealPath();
    Path file = path.resolve("forwarder");
    try {
      Optional<HeldFile> lock = HeldFile.take(file);
      if (lock.isEmpty()) {
        waiting.run();
      }
      while (lock.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(WAIT_MS);
        lock = HeldFile.take(file);
      }
      return new HeldSpool(path, lock.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while another process serves the cluster", e);
    }
  }

  /** What works in a spool. */
  interface SpoolWork {
    /** Returns when it has ended. */
    void awaitEnd() throws InterruptedException;
  }

  /**
   * Gives it free when nothing works in it any more. That may be after this method has returned: as
   * long as a thread goes on, a second one that did the same runs would begin them twice.
   *
   * @param last what is closed just before
   */
  void closeAfter(SpoolWork work, Closeable last) throws IOException {
    AtomicReference<IOException> fault = new AtomicReference<>();
    Thread freeing =
        new Thread(
            () -> {
              try {
                work.awaitEnd();
                try {
                  last.close();
                } finally {
                  close();
                }
              } catch (IOException e) {
                fault.set(e);
                log.error("spool {}: {}", path, e.toString());
              } catch (InterruptedException e) {
                log.error("spool {} stays held until this process ends", path);
              }
            },
            "millrace-spool-end");
    freeing.setDaemon(true);
    freeing.start();
    try {
      freeing.join(PATIENCE_MS);
      if (freeing.isAlive()) {
        log.warn("spool {} is held until the last work in it has ended", path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (fault.get() != null) {
      throw fault.get();
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
