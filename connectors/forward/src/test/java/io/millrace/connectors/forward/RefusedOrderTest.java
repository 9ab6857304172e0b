package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.forward.PassedOrders.RunHolding;
import io.millrace.connectors.local.run.OutsideReply;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of orders that an outside system does not carry out, and until when. */
class RefusedOrderTest extends PlayedOrders {

  @Test
  void aRefusalIsToldOnceForEachOrder() throws Exception {
    answer = NO;
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    looks(30);
    OutsideReply no = new OutsideReply("hold", true, "you may not");
    assertEquals(List.of("HOLD"), asked);
    assertEquals(List.of(no), told);
    // The server repeats it, since it cannot know that it came; who has said no says it again.
    order("hold");
    looks(30);
    assertEquals(List.of("HOLD"), asked);
    assertEquals(List.of(no), told);
    assertEquals(RunHolding.REFUSED, noted());
    order("release");
    order("release");
    looks(30);
    assertEquals(RunHolding.NONE, noted());
    order("hold");
    looks(30);
    assertEquals(List.of("HOLD", "HOLD"), asked);
    assertEquals(List.of(no, no), told);
    order("release");
    answer = new Controlled.Done("held job 77");
    order("hold");
    shows(OutsideState.HELD, OutsideRunState.WAITING);
    assertEquals(new OutsideReply("hold", false, "held job 77"), told.get(2));
    assertEquals("", known.refusal());
  }

  /** The next process tells it with the state, which it would take away otherwise. */
  @Test
  void aRefusalIsKnownToTheNextProcess() throws Exception {
    answer = new Controlled.ControlRefused("no,\tyou; may\u2028not " + "x".repeat(2000));
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("suspend");
    looks(3);
    String refusal = "suspend was not carried out there: no, you; may\u2028not xxx";
    assertTrue(known.refusal().startsWith(refusal), known.refusal());
    KnownRun next = new KnownRun(ForwardedRun.all(runs).get(0), runs, null);
    assertTrue(next.refusal().startsWith(refusal), next.refusal());
    assertTrue(next.refusal().length() <= PassedOrders.REFUSAL_LONGEST);
    answer = new Controlled.Done("");
    order("resume");
    looks(3);
    assertEquals("", known.refusal());
    assertEquals("", ForwardedRun.all(runs).get(0).orders().refusal());
  }

  @Test
  void theRefusalOfAHoldGoesWhenItIsTakenBack() throws Exception {
    answer = NO;
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    looks(5);
    order("hold"); // as the server repeats it
    assertEquals("hold was not carried out there: you may not", known.refusal());
    order("release");
    assertEquals("", known.refusal());
    assertEquals("", ForwardedRun.all(runs).get(0).orders().refusal());
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("hold");
    looks(2);
    assertTrue(known.refusal().startsWith("hold was not carried out there: it has begun"));
    order("release");
    assertEquals("", known.refusal());
  }

  @Test
  void theRefusalOfAHoldGoesWhenTheRunBegins() throws Exception {
    answer = NO;
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    looks(5);
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    assertEquals("", known.refusal());
  }

  @Test
  void theRefusalOfAReleaseGoesWhenTheRunBeginsOrIsHeldAgain() throws Exception {
    shows(OutsideState.WAITING, OutsideRunState.WAITING);
    order("hold");
    shows(OutsideState.HELD, OutsideRunState.WAITING);
    answer = NO;
    order("release");
    looks(5);
    assertEquals("release was not carried out there: you may not", known.refusal());
    answer = new Controlled.Done("");
    order("hold");
    assertEquals("", known.refusal());
    looks(5);
    answer = NO;
    order("release");
    looks(5);
    assertEquals("release was not carried out there: you may not", known.refusal());
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    assertEquals("", known.refusal());
  }

  /** It was taken back, or somebody there has done it. */
  @Test
  void theRefusalOfASuspensionGoesWhenItIsTakenBackOrShown() throws Exception {
    answer = NO;
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("suspend");
    looks(3);
    order("resume");
    assertEquals("", known.refusal());
    looks(5);
    assertEquals("", known.refusal(), "it runs");
    order("suspend");
    looks(3);
    assertEquals("suspend was not carried out there: you may not", known.refusal());
    shows(OutsideState.SUSPENDED, OutsideRunState.SUSPENDED);
    assertEquals("", known.refusal());
  }

  @Test
  void theRefusalOfAWalltimeGoesWithAnotherOne() throws Exception {
    answer = NO;
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    order("limit300");
    looks(3);
    order("hold");
    order("release");
    order("limit300");
    assertEquals("limit was not carried out there: you may not", known.refusal());
    order("limit200");
    assertEquals("", known.refusal());
  }

  /** What cannot be noted is told all the same. */
  @Test
  void aRefusalThatTheDiskHasNoRoomForIsTold() throws Exception {
    answer = NO;
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    bridge.delete(TAG);
    Files.delete(runs.resolve(ID.directoryName()));
    Files.delete(runs);
    looks(3);
    assertEquals(List.of(new OutsideReply("delete", true, "you may not")), told);
    assertEquals("delete was not carried out there: you may not", known.refusal());
  }

  /** It goes on being repeated. */
  @Test
  void theRefusalOfADeletionIsToldWhenItsWordsChange() throws Exception {
    shows(OutsideState.RUNNING, OutsideRunState.RUNNING);
    answer = NO;
    bridge.delete(TAG);
    looks(30);
    assertTrue(asked.size() >= 5, asked::toString);
    assertEquals(List.of(new OutsideReply("delete", true, "you may not")), told);
    answer = new Controlled.ControlRefused("no");
    looks(30);
    answer = new Controlled.Done("registered");
    looks(8);
    answer = new Controlled.Done("registered already");
    looks(8);
    assertEquals(
        List.of(
            new OutsideReply("delete", true, "no"),
            new OutsideReply("delete", false, "registered")),
        told.subList(1, told.size()));
  }
}
