package io.millrace.connectors.local.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a spool may be older than what was done. */
class BootMarkTest {

  @TempDir Path spool;

  @Test
  void thisBootIsNoDoubtAndAnotherIsOne() throws IOException {
    assertFalse(BootMark.doubtful(spool, false));
    BootMark.set(spool);
    assertFalse(BootMark.doubtful(spool, false));
    Files.writeString(spool.resolve("boot"), "another\n");
    assertTrue(BootMark.doubtful(spool, false));
    assertFalse(BootMark.doubtful(spool, true));
  }

  @Test
  void aSpoolOfABackupIsOlderHoweverDurable() throws IOException {
    Files.writeString(spool.resolve("boot"), "restored\n");
    assertTrue(BootMark.doubtful(spool, false));
    assertTrue(BootMark.doubtful(spool, true));
    BootMark.set(spool);
    assertFalse(BootMark.doubtful(spool, false));
  }
}
