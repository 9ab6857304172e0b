package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  private Instant host = NOW;
  private long nanos;
  private final SteadyClock clock = new SteadyClock(() -> host, () -> nanos);

  private Instant after(long seconds) {
    Instant at = clock.instant();
    for (long i = 0; i < seconds * 10; i++) {
      host = host.plusMillis(100);
      nanos += Duration.ofMillis(100).toNanos();
      at = clock.instant();
    }
    return at;
  }

  @Test
  void itGoesWithTheHost() {
    assertEquals(NOW.plusSeconds(60), after(60));
  }

  /** So that what has to pass has passed: half a minute is 27 s in truth, at the least. */
  @Test
  void aLeapForwardIsNoTimeThatHasPassed() {
    after(10);
    host = host.plus(Duration.ofHours(1));
    Instant before = clock.instant();
    assertFalse(before.isAfter(NOW.plusSeconds(11)));
    Duration passed = Duration.between(before, after(27));
    assertTrue(passed.compareTo(Duration.ofSeconds(30)) < 0, passed::toString);
  }

  @Test
  void itNeverGoesBack() {
    after(10);
    host = host.minus(Duration.ofHours(1));
    Instant before = clock.instant();
    for (int i = 0; i < 100; i++) {
      Instant now = after(1);
      assertTrue(now.isAfter(before));
      before = now;
    }
    assertTrue(before.isAfter(NOW.plusSeconds(95)));
  }

  @Test
  void itComesBackToTheHost() {
    host = host.plusSeconds(10);
    after(150);
    assertTrue(Duration.between(clock.instant(), host).abs().toMillis() <= 50);
  }
}
