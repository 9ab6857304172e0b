package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Who may submit in bulk at once. */
class BulkSlotsTest {
  private final BulkSlots places = new BulkSlots();
  private final AtomicInteger in = new AtomicInteger();

  private Thread another(String user, List<BulkSlots.BulkSlot> held) {
    Thread thread =
        new Thread(
            () -> {
              try {
                BulkSlots.BulkSlot place = places.take(user);
                synchronized (held) {
                  held.add(place);
                }
                in.incrementAndGet();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void await(BooleanSupplier what) {
    long giveUp = System.nanoTime() + 20_000_000_000L;
    while (!what.getAsBoolean()) {
      assertTrue(System.nanoTime() < giveUp, "nothing happened for 20 s");
      Thread.onSpinWait();
    }
  }

  private static void awaitWaiting(Thread thread) {
    await(() -> thread.getState() == Thread.State.WAITING);
  }

  @Test
  void oneUserLeavesAPlaceToOthersAndTheRestWaits() throws Exception {
    List<BulkSlots.BulkSlot> held = new ArrayList<>();
    for (int i = 0; i < BulkSlots.MOST_OF_USER; i++) {
      another("ann", held).join();
    }
    Thread third = another("ann", held);
    awaitWaiting(third);
    another("bob", held).join();
    assertEquals(BulkSlots.MOST, in.get());
    Thread cy = another("cy", held);
    awaitWaiting(cy);
    held.get(0).close(); // ann's: her third may come in, or cy
    await(() -> in.get() == BulkSlots.MOST + 1);
    held.get(1).close();
    third.join();
    cy.join();
    assertEquals(BulkSlots.MOST + 2, in.get());
  }
}
