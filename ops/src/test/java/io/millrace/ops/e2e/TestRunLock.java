package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Lock for what root's tests create under fixed names (users, networks), which exist once per
 * machine. Of several test runs one at a time uses them, from its first use to its end.
 */
final class TestRunLock {

  /** Not writable for other users, who cannot create such things anyway. */
  private static final Path FILE = Path.of("/run/millrace-e2e.lock");

  /** Longer than all tests take. */
  private static final Duration PATIENCE = Duration.ofHours(2);

  /** Held until this process ends. */
  private static FileLock lock;

  private TestRunLock() {}

  /** Waits until no other test run holds the lock; prints that it waits. */
  static synchronized void begin() throws IOException, InterruptedException {
    if (lock != null) {
      return;
    }
    FileChannel channel =
        FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    lock = channel.tryLock();
    if (lock == null) {
      System.out.println(
          "e2e: waits for another run of tests on this machine; see lslocks " + FILE);
    }
    if (lock == null && !Polling.within(PATIENCE, () -> (lock = channel.tryLock()) != null)) {
      channel.close();
      throw new AssertionError("another run of tests has not ended; it holds " + FILE);
    }
  }
}
