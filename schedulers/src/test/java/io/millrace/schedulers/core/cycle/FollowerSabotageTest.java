package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/**
 * Histories in which a scheduler misses one fact: that it decides otherwise than one that is built
 * anew is found. What becomes of one such fact may not matter, so several histories are played.
 */
class FollowerSabotageTest {
  private static final long FIRST = 3;
  private static final long LAST = 203;

  /** In every fourth history there are reservations. */
  private static final long STEP = 4;

  /** What is found in the first history in which anything is. */
  private static List<String> found(Predicate<Object> missed) {
    List<String> found = new ArrayList<>();
    for (long seed = FIRST; seed <= LAST && found.isEmpty(); seed += STEP) {
      try {
        SchedulerHistoryPropertyTest.play(seed, missed);
      } catch (AssertionFailedError e) {
        found.add(String.valueOf(e.getMessage()));
      }
    }
    return found;
  }

  @Test
  void oneThatDoesNotHearThatARunHasBegun() {
    List<String> found = found(fact -> fact instanceof Job);
    assertTrue(!found.isEmpty() && found.get(0).startsWith("end of "), found::toString);
  }

  @Test
  void oneThatDoesNotHearThatAReservationIsOver() {
    Predicate<Object> over =
        fact ->
            fact instanceof Reservation one
                && one.getState() == ReservationState.FINISHED
                && !one.getBooked().isEmpty();
    assertFalse(found(over).isEmpty());
  }

  @Test
  void oneThatDoesNotHearThatAReservationHasBegun() {
    Predicate<Object> begun = fact -> fact instanceof Reservation one && one.getStartedMs() >= 0;
    assertFalse(found(begun).isEmpty());
  }
}
