package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.file.Path;

/** The lock by which a spool has at most one executor. */
public record SpoolLock(HeldFile file) implements AutoCloseable {

  /**
   * @throws IOException with one clear line when another executor has the spool
   */
  public static SpoolLock take(Path spool) throws IOException {
    return HeldFile.take(spool.resolve("executor.lock"))
        .map(SpoolLock::new)
        .orElseThrow(() -> new IOException("spool " + spool + " is in use by another executor"));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
