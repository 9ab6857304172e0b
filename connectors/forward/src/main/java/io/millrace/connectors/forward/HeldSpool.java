package io.millrace.connectors.forward;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A spool that nobody else has: the kernel gives it free when the process dies.
 *
 * @param path of it
 * @param file that is locked
 */
record HeldSpool(Path path, FileChannel file) implements AutoCloseable {

  /**
   * Those of this process. A lock of a file is one of the process, and gone as soon as any part of
   * the process closes that file: a part that stands by must not even open it.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

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

  @Override
  public void close() throws IOException {
    file.close();
    HERE.remove(path);
  }
}
