package io.millrace.connectors.forward;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A spool that nobody else has: the kernel gives it free when the process dies.
 *
 * @param path of it
 * @param file that is locked
 */
record HeldSpool(Path path, FileChannel file) implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HeldSpool.class);

  /**
   * Those of this process. A lock of a file is one of the process, and gone as soon as any part of
   * the process closes that file: a part that stands by must not even open it.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

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
    try {
      HeldSpool held = take(path);
      if (held == null) {
        waiting.run();
      }
      while (held == null) {
        TimeUnit.MILLISECONDS.sleep(WAIT_MS);
        held = take(path);
      }
      return held;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while another process serves the cluster", e);
    }
  }

  /** Null when somebody else has it. */
  private static HeldSpool take(Path path) throws IOException {
    if (!HERE.add(path)) {
      return null;
    }
    FileChannel file = null;
    HeldSpool held = null;
    try {
      file =
          FileChannel.open(
              path.resolve("forwarder"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      held = file.tryLock() == null ? null : new HeldSpool(path, file);
      return held;
    } finally {
      if (held == null) {
        if (file != null) {
          file.close();
        }
        HERE.remove(path);
      }
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
    file.close();
    HERE.remove(path);
  }
}
