package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.spool.FileLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldSpoolTest {

  @TempDir Path spool;

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
      assertTrue(FileLocks.has(first.path().resolve("forwarder")));
    }
    assertFalse(FileLocks.has(spool.resolve("forwarder")));
  }
}
