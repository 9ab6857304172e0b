package io.millrace.server.streams.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlannedLeaveTest {

  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicInteger left = new AtomicInteger();
  private final PlannedLeave leave = new PlannedLeave(begun::get, left::incrementAndGet);

  private static boolean asked(PlannedLeave leave, Duration patience) {
    try {
      return leave.ask(patience);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingChangesBeforeItIsAsked() {
    assertFalse(leave.insteadOfPoll(Duration.ZERO));
    assertEquals(0, left.get());
  }

  @Test
  void theOneWhoAsksGoesOnWhereTheThreadDoesNot() {
    assertFalse(asked(leave, Duration.ZERO));
    assertTrue(leave.insteadOfPoll(Duration.ZERO), "no command is taken any more");
  }

  /** Positions are committed with the interval, also where no transaction was begun before. */
  @Test
  void itLeavesNotBeforeTwoPollsWouldHaveEnded() {
    assertFalse(asked(leave, Duration.ZERO));
    Duration usual = Duration.ofMillis(10);
    long beganNanos = System.nanoTime();
    while (!leave.hasLeft()) {
      assertTrue(leave.insteadOfPoll(usual));
    }
    assertTrue(System.nanoTime() - beganNanos >= 2 * usual.toNanos());
  }

  @Test
  void whatIsBegunIsCommittedBeforeItLeavesOnce() throws Exception {
    begun.set(true);
    CompletableFuture<Boolean> asks =
        CompletableFuture.supplyAsync(() -> asked(leave, Duration.ofMinutes(1)));
    while (!leave.insteadOfPoll(Duration.ZERO)) {
      Thread.onSpinWait();
    }
    for (int poll = 0; poll < 10; poll++) {
      assertTrue(leave.insteadOfPoll(Duration.ZERO));
    }
    assertEquals(0, left.get(), "its transaction is open");
    begun.set(false);
    assertTrue(leave.insteadOfPoll(Duration.ZERO));
    assertEquals(0, left.get(), "what was polled may not be begun");
    assertFalse(leave.hasLeft());
    for (int poll = 0; poll < 10; poll++) {
      assertTrue(leave.insteadOfPoll(Duration.ZERO));
    }
    assertEquals(1, left.get());
    assertTrue(leave.hasLeft());
    assertTrue(asks.get(1, TimeUnit.MINUTES));
  }
}
