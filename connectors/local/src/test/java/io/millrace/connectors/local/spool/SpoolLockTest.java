package io.millrace.connectors.local.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
      assertTrue(
          FileLocks.has(spool.resolve("executor.lock")), "other processes are still kept off");
    }
    SpoolLock.take(spool).close();
  }

  /** The second close of the first one must not give free what the second one has. */
  @Test
  void oneThatIsClosedTwiceGivesNothingOfOthersFree() throws IOException {
    SpoolLock first = SpoolLock.take(spool);
    first.close();
    try (SpoolLock second = SpoolLock.take(spool)) {
      first.close();
      assertThrows(IOException.class, () -> SpoolLock.take(spool));
      assertTrue(FileLocks.has(spool.resolve("executor.lock")));
    }
  }

  @Test
  void nobodyElseMayOpenItsFile() throws IOException {
    Path file = spool.resolve("executor.lock");
    SpoolLock.take(spool).close();
    assertEquals("rw-------", rights(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    SpoolLock.take(spool).close();
    assertEquals("rw-------", rights(file), "of one that was open to all too");
  }

  @Test
  void whatRootMakesIsTheOwnersOfTheFolder() throws IOException {
    assumeTrue(Files.getAttribute(spool, "unix:uid").equals(0), "only root gives files away");
    Files.setAttribute(spool, "unix:uid", 1);
    SpoolLock.take(spool).close();
    assertEquals(1, Files.getAttribute(spool.resolve("executor.lock"), "unix:uid"));
  }

  @Test
  void aLinkInItsPlaceIsNotFollowed() throws IOException {
    Path elsewhere = Files.writeString(spool.resolve("elsewhere"), "somebody's");
    Files.createSymbolicLink(spool.resolve("executor.lock"), elsewhere);
    String before = rights(elsewhere);
    assertThrows(IOException.class, () -> SpoolLock.take(spool));
    assertEquals(before, rights(elsewhere));
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
