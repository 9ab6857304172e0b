package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PausesTest {
  private static final long FIRST = EngineLimits.FIRST_PAUSE.toNanos();
  private static final int SOME = 15052;

  private final Pauses pauses = new Pauses();

  private void pause(int code, long lengthNanos, long nowNanos) {
    pauses.start("a", code, nowNanos);
    assertEquals(lengthNanos, pauses.nanosToEnd(nowNanos, Long.MAX_VALUE));
    assertEquals(List.of("a"), pauses.ended(nowNanos + lengthNanos));
  }

  @Test
  void eachRejectionAfterAPauseDoublesIt() {
    pause(SOME, FIRST, 0);
    pause(SOME, 2 * FIRST, 10 * FIRST);
    pause(SOME, 4 * FIRST, 20 * FIRST);
  }

  @Test
  void whatIsRejectedTogetherCountsOnce() {
    for (int i = 0; i < 50; i++) {
      pauses.start("a", SOME, i);
    }
    assertEquals(FIRST - 49, pauses.nanosToEnd(49, Long.MAX_VALUE));
  }

  @Test
  void whatWasMissingEndsTheSeries() {
    for (int i = 0; i < 12; i++) {
      pause(Planner.NO_LEASE, FIRST, i * 10 * FIRST);
      assertEquals(List.of(), pauses.end(Planner.NO_LEASE), "the pause is over");
    }
    pauses.start("a", Planner.NO_LEASE, 0);
    pauses.start("b", SOME, 0);
    assertEquals(List.of("a"), pauses.end(Planner.NO_LEASE));
    assertEquals(List.of("b"), pauses.ended(FIRST));
  }

  @Test
  void onePauseIsCutAndItsSeriesGoesOn() {
    pauses.start("a", SOME, 0);
    pauses.start("b", SOME, 0);
    assertEquals(List.of("a"), pauses.cut("a"::equals));
    assertEquals(List.of(), pauses.cut("a"::equals), "it is over");
    pauses.start("a", SOME, 1);
    assertEquals(List.of("b"), pauses.ended(FIRST));
    assertEquals(List.of("a"), pauses.ended(1 + 2 * FIRST));
  }
}
