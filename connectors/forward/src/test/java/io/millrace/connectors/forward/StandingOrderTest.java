package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StandingOrderTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final Controlled DONE = new Controlled.Done("");
  private static final Controlled REFUSED = new Controlled.ControlRefused("no");
  private static final Controlled UNCLEAR = new Controlled.ControlUnclear("silent");

  private final StandingOrder suspend = new StandingOrder("suspend");
  private final StandingOrder resume = new StandingOrder("resume");

  private static Instant at(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** What is due at a second, the queue having shown the state at another. */
  private static Optional<OutsideAction> due(
      StandingOrder order, OutsideRunState state, long seen, long now) {
    return order.due(state, at(seen), at(now));
  }

  @Test
  void aHeldRunThatHasBegunMeanwhileIsSuspended() {
    assertEquals(Optional.of(OutsideAction.HOLD), due(suspend, OutsideRunState.WAITING, 0, 4));
    suspend.answered(OutsideAction.HOLD, DONE, at(4));
    assertFalse(suspend.isDone(OutsideRunState.WAITING, at(5)));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.WAITING, 900, 900));
    assertEquals(
        Optional.of(OutsideAction.SUSPEND), due(suspend, OutsideRunState.RUNNING, 905, 905));
    suspend.answered(OutsideAction.SUSPEND, DONE, at(905));
    assertTrue(suspend.isDone(OutsideRunState.SUSPENDED, at(906)));
  }

  @Test
  void aSuspensionIsRepeatedWhenTheQueueShowsThatItRunsOn() {
    suspend.answered(OutsideAction.SUSPEND, DONE, at(0));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.RUNNING, -1, 60));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.RUNNING, 5, 9));
    assertEquals(Optional.of(OutsideAction.SUSPEND), due(suspend, OutsideRunState.RUNNING, 5, 10));
    suspend.answered(OutsideAction.SUSPEND, DONE, at(10));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.RUNNING, 29, 29));
    assertEquals(Optional.of(OutsideAction.SUSPEND), due(suspend, OutsideRunState.RUNNING, 29, 30));
  }

  /** What the queue has shown before the order was passed on shows nothing. */
  @Test
  void anOlderLookAtTheQueueEndsNoOrder() {
    assertEquals(Optional.of(OutsideAction.SUSPEND), due(suspend, OutsideRunState.SUSPENDED, 0, 1));
    suspend.answered(OutsideAction.SUSPEND, DONE, at(1));
    assertFalse(suspend.isDone(OutsideRunState.SUSPENDED, at(0)));
    assertTrue(suspend.isDone(OutsideRunState.SUSPENDED, at(1)));
  }

  @Test
  void anOrderWaitsForARunThatIsNotThereYetOrNotHeardOf() {
    for (OutsideRunState state :
        new OutsideRunState[] {
          OutsideRunState.ORDERED,
          OutsideRunState.ABOUT_TO_SUBMIT,
          OutsideRunState.NOT_HEARD_OF,
          OutsideRunState.ENDING,
          OutsideRunState.ENDED
        }) {
      assertEquals(Optional.empty(), due(suspend, state, 0, 1), state.name());
      assertEquals(Optional.empty(), due(resume, state, 0, 1), state.name());
    }
  }

  @Test
  void aResumeIsAReleaseOfWhatWaits() {
    assertEquals(Optional.of(OutsideAction.RELEASE), due(resume, OutsideRunState.WAITING, 0, 1));
    resume.answered(OutsideAction.RELEASE, DONE, at(1));
    assertFalse(resume.isDone(OutsideRunState.WAITING, at(0)));
    assertTrue(resume.isDone(OutsideRunState.WAITING, at(2)));
    assertTrue(resume.isDone(OutsideRunState.RUNNING, at(2)));
    assertEquals(Optional.of(OutsideAction.RESUME), due(resume, OutsideRunState.SUSPENDED, 2, 2));
  }

  @Test
  void whatWasRefusedIsNotRepeatedAndWhatIsUnclearIs() {
    suspend.answered(OutsideAction.SUSPEND, REFUSED, at(0));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.RUNNING, 900, 900));
    assertEquals(Optional.of(OutsideAction.HOLD), due(suspend, OutsideRunState.WAITING, 900, 900));
    suspend.answered(OutsideAction.HOLD, UNCLEAR, at(900));
    assertEquals(Optional.empty(), due(suspend, OutsideRunState.WAITING, 905, 905));
    assertEquals(Optional.of(OutsideAction.HOLD), due(suspend, OutsideRunState.WAITING, 905, 910));
  }
}
