package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");

  private void silent(int times) {
    for (int i = 0; i < times; i++) {
      breaker.silent("no answer", now);
    }
  }

  /** The time until a question may be asked, in seconds. */
  private long pause() {
    long seconds = 0;
    while (!breaker.lets(now.plusSeconds(seconds))) {
      seconds++;
    }
    return seconds;
  }

  @Test
  void threeFailuresInARowOpenItAndOneAnswerClosesIt() {
    silent(2);
    breaker.answered();
    silent(2);
    assertFalse(breaker.isOpen());
    assertEquals(Optional.of(now), breaker.silentSince());
    silent(1);
    assertTrue(breaker.isOpen());
    assertFalse(breaker.lets(now));
    breaker.answered();
    assertTrue(breaker.lets(now));
    assertEquals(Optional.empty(), breaker.silentSince());
    assertEquals("", breaker.reason());
  }

  @Test
  void thePausesGrowToHalfAMinute() {
    silent(3);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pauses.add(pause());
      now = now.plusSeconds(pause());
      silent(1);
    }
    assertEquals(List.of(5L, 10L, 20L, 30L, 30L), pauses);
  }

  @Test
  void aClockThatIsPutBackPausesNobodyForLong() {
    silent(3);
    now = now.minus(Duration.ofHours(1));
    assertEquals(0, pause());
    silent(1);
    assertEquals(10, pause());
  }

  @Test
  void twoWhoAskAtOnceWaitNoLonger() {
    silent(3);
    now = now.plusSeconds(pause());
    silent(1);
    now = now.plus(Duration.ofMillis(200));
    silent(1);
    assertEquals(10, pause());
  }
}
