package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

/**
 * The lock by which a spool has at most one executor; the kernel releases it when the process dies.
 */
public record SpoolLock(FileChannel file) implements AutoCloseable {

  /**
   * @throws IOException with one clear line when another executor has the spool
   */
  public static SpoolLock take(Path spool) throws IOException {
    Path path = spool.resolve("executor.lock");
    FileChannel file = LockFile.open(path);
    boolean taken;
    try {
      taken = file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      taken = false; // by this very process
    }
    if (!taken) {
      file.close();
      throw new IOException("spool " + spool + " is in use by another executor");
    }
    return new SpoolLock(file);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
