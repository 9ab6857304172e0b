package io.millrace.connectors.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One executor has a spool, and nobody else may hold its lock. */
class SpoolLockTest {

  @TempDir Path spool;

  @Test
  void aSecondOneIsRefusedUntilTheFirstEnds() throws IOException {
    try (SpoolLock first = SpoolLock.take(spool)) {
      IOException refused = assertThrows(IOException.class, () -> SpoolLock.take(spool));
      assertEquals("spool " + spool + " is in use by another executor", refused.getMessage());
    }
    SpoolLock.take(spool).close();
  }

  @Test
  void nobodyElseMayOpenItsFile() throws IOException {
    Path file = spool.resolve("executor.lock");
    SpoolLock.take(spool).close();
    assertEquals("rw-------", rights(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    SpoolLock.take(spool).close();
    assertEquals("rw-------", rights(file), "of an earlier version too");
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
