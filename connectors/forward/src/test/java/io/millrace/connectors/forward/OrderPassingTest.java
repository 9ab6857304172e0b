package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.forward.PassedOrders.RunHolding;
import io.millrace.connectors.local.run.OutsideReply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of orders to a run that an outside system has. */
class OrderPassingTest extends PlayedOrders {

  @Test
  void whatWaitsThereIsHeldUntilItIsReleased() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    looks(3);
    assertEquals(List.of("HOLD"), asked);
    assertEquals(RunHolding.PASSED, noted());
    shows(OutsideState.HELD, OutsideRunState.WAITING);
    assertTrue(bridge.isHeld(TAG));
    assertEquals(RunHolding.SHOWN, noted());
    looks(100);
    assertEquals(List.of("HOLD"), asked);
    order("release");
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    assertEquals(List.of("HOLD", "RELEASE"), asked);
    assertEquals(RunHolding.NONE, known.orders().hold());
    assertFalse(bridge.isHeld(TAG));
    assertEquals(List.of(), told, "nothing was said");
  }

  /** Nobody was told of the hold; what is told then nobody would take back. */
  @Test
  void aHoldThatIsTakenBackWhileItIsAboutToBePassedOnIsNotPassedOn() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    meanwhile = "release";
    looks(5);
    assertEquals("", meanwhile, "it came");
    assertEquals(List.of(), asked);
    assertEquals(RunHolding.NONE, noted());
    order("hold");
    looks(1);
    assertEquals(List.of("HOLD"), asked);
  }

  /** The answer to the hold is none to what came after it. */
  @Test
  void aReleaseThatComesWhileTheHoldIsPassedOnFollowsIt() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    whileAsked = "release";
    looks(5);
    assertEquals("", whileAsked, "it came");
    assertEquals(List.of("HOLD", "RELEASE"), asked);
    assertEquals(RunHolding.NONE, noted());
  }

  @Test
  void aWalltimeThatComesWhileAnotherIsPassedOnIsToldToo() throws Exception {
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("limit300");
    meanwhile = "limit200";
    looks(1);
    whileAsked = "limit100";
    looks(5);
    assertEquals(List.of("limit 300 true", "limit 200 true", "limit 100 true"), asked);
    assertTrue(known.orders().limit().told());
    assertEquals(100, known.orders().limit().seconds());
  }

  /** An order that the queue does not show as carried out is given again. */
  @Test
  void aHoldThatTheQueueDoesNotShowIsRepeated() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    looks(8);
    assertEquals(List.of("HOLD", "HOLD"), asked);
  }

  @Test
  void whatIsNotThereYetIsKeptHere() throws Exception {
    order("hold");
    passing.pass(bridge, known, run());
    looks(10);
    assertEquals(0, submitted);
    assertEquals(OutsideRunState.ORDERED, run().state());
    assertEquals(RunHolding.WANTED, known.orders().hold());
    order("release");
    looks(2);
    assertEquals(1, submitted);
    assertEquals(List.of(), asked);
    assertEquals(List.of(), told);
  }

  @Test
  void whatHasBegunIsHeldNoMore() throws Exception {
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("hold");
    looks(3);
    assertEquals(List.of(), asked);
    String why = "it has begun, and is held when it is run again";
    assertEquals(List.of(new OutsideReply("hold", true, why)), told);
    assertEquals(RunHolding.NONE, known.orders().hold());
    assertEquals("hold was not carried out there: " + why, known.refusal());
  }

  /** Both are holds of what waits there: the last of them is the end of it. */
  @Test
  void whatIsSuspendedAndHeldIsReleasedWhenItIsNeither() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("suspend");
    order("hold");
    shows(OutsideState.HELD, OutsideRunState.WAITING);
    asked.clear();
    order("release");
    looks(10);
    assertEquals(List.of(), asked, "it is suspended");
    order("hold");
    looks(2);
    asked.clear();
    order("resume");
    looks(10);
    assertEquals(List.of(), asked, "it is held");
    order("release");
    looks(1);
    assertEquals(List.of("RELEASE"), asked);
  }

  @Test
  void aWalltimeIsToldOnceAndAgainWhileItIsUnclear() throws Exception {
    order("limit300");
    answer = new Controlled.ControlUnclear("no answer");
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    assertEquals(List.of("limit 300 false"), asked);
    answer = NO;
    looks(8);
    assertEquals(List.of("limit 300 false", "limit 300 false"), asked);
    assertEquals(List.of(new OutsideReply("limit", true, "you may not")), told);
    order("limit300");
    looks(8);
    assertEquals(2, asked.size(), "as it was told before");
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    answer = new Controlled.Done("");
    order("limit200");
    looks(8);
    assertEquals("limit 200 true", asked.get(2));
    assertEquals(3, asked.size());
    assertEquals("", known.refusal());
  }

  /** The order to hold may have been carried out when its process ended. */
  @Test
  void anotherProcessLooksAtTheQueueFirst() throws Exception {
    HoldOrder order = new HoldOrder();
    HoldOrder.ShownRun unseen = new HoldOrder.ShownRun(OutsideRunState.WAITING, false, Instant.MIN);
    assertEquals(Optional.empty(), order.due(RunHolding.PASSED, unseen, now));
    HoldOrder.ShownRun held = new HoldOrder.ShownRun(OutsideRunState.WAITING, true, now);
    assertEquals(RunHolding.SHOWN, order.next(RunHolding.PASSED, held));
    HoldOrder.ShownRun waits = new HoldOrder.ShownRun(OutsideRunState.WAITING, false, now);
    assertTrue(order.due(RunHolding.PASSED, waits, now.plus(Duration.ofSeconds(1))).isPresent());
  }
}
