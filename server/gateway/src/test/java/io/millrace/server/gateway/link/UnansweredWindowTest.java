package io.millrace.server.gateway.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnansweredWindowTest {
  private static final Duration NOW = Duration.ZERO;

  private final UnansweredWindow window =
      new UnansweredWindow(new LinkSettings.UnansweredLimits(3, 5, 1000));

  private boolean enter(String client, long bytes) throws InterruptedException {
    return window.enter(client, bytes, NOW);
  }

  @Test
  void oneUserHasHalfOfTheBytes() throws InterruptedException {
    assertTrue(enter("ann/1", 300));
    assertFalse(enter("ann/2", 300));
    assertTrue(enter("ann/3", 200));
    assertTrue(enter("bob", 400));
    assertFalse(enter("cyd", 200), "1000 in all");
    window.leave("bob", 400);
    assertTrue(enter("cyd", 200));
    assertEquals(3, window.total());
  }

  @Test
  void aCommandLargerThanTheRoomGoesAlone() throws InterruptedException {
    assertTrue(enter("ann", 5000));
    assertFalse(enter("bob", 1));
    window.leave("ann", 5000);
    assertTrue(enter("bob", 1));
    assertFalse(enter("ann", 5000));
  }

  @Test
  void numbersAreBoundedToo() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertTrue(enter("ann", 1));
    }
    assertFalse(enter("ann", 1));
    assertTrue(enter("bob", 1));
    assertTrue(enter("bob", 1));
    assertFalse(enter("cyd", 1));
  }

  @Test
  void whoWaitsEntersWhenThereIsRoom() throws Exception {
    assertTrue(enter("ann", 500));
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    Thread waits =
        new Thread(
            () -> {
              try {
                second.complete(window.enter("ann", 500, Duration.ofSeconds(300)));
              } catch (InterruptedException e) {
                second.completeExceptionally(e);
              }
            });
    waits.start();
    while (waits.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    window.leave("ann", 500);
    assertTrue(second.get(60, TimeUnit.SECONDS), "woken, and not only when its patience ends");
  }
}
