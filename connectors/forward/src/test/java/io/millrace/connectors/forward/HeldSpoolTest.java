package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldSpoolTest {

  @TempDir Path spool;

  /** Whether the kernel keeps other processes off. */
  private boolean isLocked() throws IOException {
    Object inode = Files.getAttribute(spool.resolve("forwarder"), "unix:ino");
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(it -> it.contains("POSIX") && it.contains(":" + inode + " "));
  }

  private Thread waiter(CountDownLatch waits, CountDownLatch has) {
    return waiter(spool, waits, has);
  }

  /** Somebody else who wants a spool, and gives it back. */
  static Thread waiter(Path spool, CountDownLatch waits, CountDownLatch has) {
    Thread waiter =
        new Thread(
            () -> {
              try {
                HeldSpool.await(spool, waits::countDown).close();
                has.countDown();
              } catch (IOException e) {
                assertEquals(
                    "interrupted while another process serves the cluster", e.getMessage());
              }
            });
    waiter.start();
    return waiter;
  }

  @Test
  void anotherPartOfTheProcessStandsBy() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch has = new CountDownLatch(1);
    HeldSpool first = HeldSpool.await(spool, () -> {});
    Thread second = waiter(waits, has);
    waits.await();
    assertEquals(1, has.getCount());
    first.close();
    second.join();
    assertEquals(0, has.getCount());
  }

  @Test
  void onePartThatStandsByAndEndsDoesNotGiveTheSpoolFree() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    try (HeldSpool first = HeldSpool.await(spool, () -> {})) {
      Thread second = waiter(waits, new CountDownLatch(1));
      waits.await();
      second.interrupt();
      second.join();
      assertTrue(first.file().isOpen());
      assertTrue(isLocked());
    }
    assertFalse(isLocked());
  }
}
