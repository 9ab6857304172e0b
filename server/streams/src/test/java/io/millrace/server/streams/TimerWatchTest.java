package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.streams.OwnedShards.TimerWatch;
import org.junit.jupiter.api.Test;

/** A shard is woken when a timer is due, once for each time. */
class TimerWatchTest {
  private long nextMs = Long.MAX_VALUE;
  private int looks;
  private final TimerWatch timers =
      new TimerWatch(
          () -> {
            looks++;
            return nextMs;
          });

  @Test
  void aTimerWakesOnceAndTheNextOneAgain() {
    assertFalse(timers.wakes(1_000, 0), "there is none");
    nextMs = 1_500;
    timers.changed();
    assertFalse(timers.wakes(1_499, 0));
    assertTrue(timers.wakes(1_500, 0));
    assertFalse(timers.wakes(1_600, 0), "it is on its way");
    nextMs = 1_550;
    timers.changed();
    assertTrue(timers.wakes(1_600, 0));
    assertEquals(3, looks, "looked up after a record alone");
  }

  @Test
  void aShardWhoseTimeIsAheadIsWokenSooner() {
    nextMs = 1_500;
    assertEquals(1_400, timers.dueMs(100));
    assertFalse(timers.wakes(1_399, 100));
    assertTrue(timers.wakes(1_400, 100));
  }
}
