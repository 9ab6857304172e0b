package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.order.DispatchPosition;
import io.millrace.connectors.local.spool.FileLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executors of a cluster, played. */
class NodeExecutorsTest {

  @TempDir Path spool;

  private final NodeExecutors nodes = new NodeExecutors();

  /** An executor that does what a test wants. */
  private static final class PlayedExecutor implements NodeExecutor {
    final CountDownLatch ended = new CountDownLatch(1);
    final int partition;
    OptionalLong reached = OptionalLong.empty();
    IOException fault;
    String dismissal = "";
    boolean closed;

    PlayedExecutor(int partition) {
      this.partition = partition;
    }

    PlayedExecutor reached(long offset) {
      reached = OptionalLong.of(offset);
      return this;
    }

    @Override
    public int partition() {
      return partition;
    }

    @Override
    public OptionalLong reached() {
      return reached;
    }

    @Override
    public String obstacle() {
      return dismissal;
    }

    @Override
    public String dismissal() {
      return dismissal;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
      ended.await();
    }

    @Override
    public void close() throws IOException {
      closed = true;
      if (fault != null) {
        throw fault;
      }
    }
  }

  @Test
  void theLeastOfAllExecutorsIsCarriedOut() throws Exception {
    nodes.add("n1", new PlayedExecutor(2).reached(9));
    nodes.add("n2", new PlayedExecutor(2).reached(7));
    nodes.add("n3", new PlayedExecutor(3).reached(1));
    nodes.allAreKnown();
    assertEquals(OptionalLong.of(7), nodes.carriedOut(2, 100));
    assertEquals(OptionalLong.of(4), nodes.carriedOut(2, 4));
    assertEquals(OptionalLong.of(100), nodes.carriedOut(0, 100), "nobody has orders there");
    nodes.add("n4", new PlayedExecutor(2));
    assertEquals(OptionalLong.empty(), nodes.carriedOut(2, 100), "it has not said how far it is");
  }

  @Test
  void nothingIsKnownToBeCarriedOutBeforeAllHostsAreKnown() throws Exception {
    assertEquals(OptionalLong.empty(), nodes.carriedOut(2, 100));
    nodes.add("n1", new PlayedExecutor(2).reached(90));
    assertEquals(OptionalLong.empty(), nodes.carriedOut(2, 100));
    nodes.add("n2", new PlayedExecutor(2).reached(7));
    nodes.allAreKnown();
    assertEquals(OptionalLong.of(7), nodes.carriedOut(2, 100));
  }

  @Test
  void ordersOfAHostWithoutAnExecutorAreNotCarriedOut() throws Exception {
    nodes.leave("n1", 2, OptionalLong.empty());
    nodes.leave("n2", 3, written(5));
    nodes.allAreKnown();
    assertEquals(OptionalLong.of(100), nodes.carriedOut(2, 100), "it has never been served");
    assertEquals(OptionalLong.of(5), nodes.carriedOut(3, 100));
    nodes.add("n2", new PlayedExecutor(3).reached(8));
    assertEquals(OptionalLong.of(8), nodes.carriedOut(3, 100));
  }

  /** How far an executor was that has ended. */
  private OptionalLong written(long offset) throws IOException {
    assertEquals(OptionalLong.empty(), DispatchPosition.of(spool));
    try (DispatchPosition position = DispatchPosition.open(spool, "cluster", 3, true)) {
      position.write(offset);
    }
    return DispatchPosition.of(spool);
  }

  @Test
  void allAreDismissedOrNone() throws Exception {
    assertEquals(Optional.empty(), nodes.obstacle());
    PlayedExecutor first = new PlayedExecutor(1);
    PlayedExecutor second = new PlayedExecutor(1);
    nodes.add("n1", first);
    nodes.add("n2", second);
    first.dismissal = "n1 is served by executor 7";
    assertEquals("", nodes.dismissal());
    assertEquals(Optional.of(""), nodes.obstacle());
    second.dismissal = "n2 is served by executor 7";
    assertEquals(first.dismissal, nodes.dismissal());
    assertEquals(Optional.of(first.dismissal), nodes.obstacle());
  }

  @Test
  void oneThatFailsToCloseLeavesNoOtherOpen() throws Exception {
    PlayedExecutor[] all = new PlayedExecutor[3];
    for (int i = 0; i < all.length; i++) {
      all[i] = new PlayedExecutor(i);
      nodes.add("n" + i, all[i]);
    }
    all[0].fault = new IOException("the disk is full");
    all[2].fault = new IOException("so is the other one");
    IOException said = assertThrows(IOException.class, nodes::close);
    assertSame(all[0].fault, said);
    assertArrayEquals(new Throwable[] {all[2].fault}, said.getSuppressed());
    for (PlayedExecutor each : all) {
      assertTrue(each.closed);
    }
  }

  /** It was being opened meanwhile. */
  @Test
  void oneThatComesAfterTheEndIsClosed() throws Exception {
    nodes.close();
    PlayedExecutor late = new PlayedExecutor(1);
    assertThrows(IOException.class, () -> nodes.add("n1", late));
    assertTrue(late.closed);
  }

  @Test
  void theSpoolIsHeldUntilTheLastExecutorHasEnded() throws Exception {
    PlayedExecutor first = new PlayedExecutor(1);
    PlayedExecutor second = new PlayedExecutor(1);
    nodes.add("n1", first);
    nodes.add("n2", second);
    first.fault = new IOException("the disk is full");
    first.ended.countDown();
    CountDownLatch last = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch has = new CountDownLatch(1);
    HeldSpool held = HeldSpool.await(spool, () -> {});
    Thread next = HeldSpoolTest.waiter(spool, waits, has);
    waits.await();
    assertThrows(IOException.class, nodes::close);
    Thread.currentThread().interrupt(); // the end of the others is not waited for here
    held.closeAfter(nodes::awaitEnd, last::countDown);
    assertTrue(Thread.interrupted());
    assertTrue(FileLocks.has(spool.resolve("forwarder")));
    assertEquals(1, last.getCount());
    second.ended.countDown();
    next.join();
    assertEquals(0, has.getCount());
    assertEquals(0, last.getCount());
    assertFalse(FileLocks.has(spool.resolve("forwarder")));
  }

  @Test
  void theSpoolIsFreeAtOnceWhenAllHasEnded() throws Exception {
    HeldSpool held = HeldSpool.await(spool, () -> {});
    IOException fault = new IOException("the disk is full");
    IOException said =
        assertThrows(
            IOException.class,
            () ->
                held.closeAfter(
                    nodes::awaitEnd,
                    () -> {
                      throw fault;
                    }));
    assertSame(fault, said);
    HeldSpool.await(spool, () -> {}).close();
  }
}
