package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideRunState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimLooksTest {

  private static final Duration STEP = Duration.ofMillis(200);

  private final ClaimLooks looks = new ClaimLooks();
  private long nowNs = Long.MAX_VALUE - 5;

  /** Looks of steps of the bridge. */
  private int looks(OutsideRunState state, Duration time) {
    int count = 0;
    for (long i = time.dividedBy(STEP); i > 0; i--) {
      count += looks.isDue(state, nowNs) ? 1 : 0;
      nowNs += STEP.toNanos();
    }
    return count;
  }

  @Test
  void aRunThatIsNotHeardOfIsLookedForInPausesThatGrow() {
    assertEquals(0, looks(OutsideRunState.WAITING, Duration.ofMinutes(1)), "it has no claim");
    // At once, after 1, 2, 4, 8, 16, 32 s and then each minute.
    assertEquals(7 + 58, looks(OutsideRunState.NOT_HEARD_OF, Duration.ofHours(1)));
  }

  @Test
  void oneThatIsShownToRunIsLookedForAtOnceAndEachSecond() {
    looks(OutsideRunState.NOT_HEARD_OF, Duration.ofMinutes(10));
    assertEquals(60, looks(OutsideRunState.RUNNING, Duration.ofMinutes(1)));
    looks(OutsideRunState.SUSPENDED, STEP);
    assertTrue(looks.isDue(OutsideRunState.RUNNING, nowNs));
    assertFalse(looks.isDue(OutsideRunState.RUNNING, nowNs));
    assertFalse(looks.isDue(OutsideRunState.WAITING, nowNs), "it was put back");
    assertTrue(looks.isDue(OutsideRunState.RUNNING, nowNs));
  }
}
