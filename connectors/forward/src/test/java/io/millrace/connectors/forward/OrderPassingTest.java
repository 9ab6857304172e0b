package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.PassedOrders.RunHolding;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.OutsideReply;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of orders to a run that an outside system has, and what is told of the answers. */
class OrderPassingTest {

  private static final OutsideTag TAG = new OutsideTag("c1", "12", 1);
  private static final OutsideId NUMBER = OutsideId.of(77);
  private static final RunId ID = new RunId("12.vm", 1);
  private static final Controlled NO = new Controlled.ControlRefused("you may\nnot");

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private final List<OutsideReply> told = new ArrayList<>();
  private int submitted;

  /** Comes from another thread while an order is about to be passed on; empty for nothing. */
  private String meanwhile = "";

  /** The same while it is passed on. */
  private String whileAsked = "";

  private Controlled answer = new Controlled.Done("");
  private OutsideState shown = OutsideState.WAITING;
  private Instant now = Instant.parse("2026-11-30T10:00:00Z");
  private Path runs;
  private RunJournal journal;
  private OutsideBridge bridge;
  private KnownRun known;
  private OrderPassing passing;

  @BeforeEach
  void open() throws Exception {
    runs = folder.resolve("runs");
    journal = RunJournal.open(folder.resolve("journal"));
    bridge =
        PlayedBridge.of(
            journal, PlayedBridge.folders(folder.resolve("spool")), this::said, () -> now);
    bridge.order(PlayedBridge.order(TAG));
    ForwardedRun run = new ForwardedRun(ID, TAG, "alice", "origin", 1, PassedOrders.NONE);
    Files.createDirectories(runs);
    run.write(runs);
    known = new KnownRun(run, runs, "");
    RunObserver observer =
        new RunObserver() {
          @Override
          public void started(StartedRun started) {}

          @Override
          public void finished(FinishedRun finished) {}

          @Override
          public void answered(RunId id, String origin, OutsideReply reply) {
            assertEquals(ID, id);
            told.add(reply);
          }
        };
    passing = new OrderPassing(this::instant, observer);
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  /** The clock is asked when an order was read that is about to be passed on. */
  private Instant instant() {
    if (!meanwhile.isEmpty()) {
      String order = meanwhile;
      meanwhile = "";
      CompletableFuture.runAsync(() -> orderUnchecked(order)).join();
    }
    return now;
  }

  private void ordered() {
    if (!whileAsked.isEmpty()) {
      String order = whileAsked;
      whileAsked = "";
      CompletableFuture.runAsync(() -> orderUnchecked(order)).join();
    }
  }

  private void orderUnchecked(String order) {
    try {
      order(order);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Object said(String question, Object[] arguments) {
    return switch (question) {
      case "submit" -> {
        submitted++;
        yield new Submitted.Accepted(NUMBER);
      }
      case "control" -> {
        asked.add(arguments[2].toString());
        ordered();
        yield answer;
      }
      case "limit" -> {
        asked.add("limit " + arguments[2] + " " + arguments[3]);
        ordered();
        yield answer;
      }
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot" -> Told.of(submitted == 0 ? List.of() : List.of(job()));
      case "tagged" -> Told.of(List.of());
      default -> false;
    };
  }

  private OutsideJob job() {
    Optional<OutsideTag> tag = Optional.of(TAG);
    return new OutsideJob(
        NUMBER,
        "a",
        "alice",
        tag,
        shown,
        "",
        Optional.empty(),
        "",
        1,
        Optional.empty(),
        "",
        List.of());
  }

  /** So many looks with two seconds before each. */
  private void looks(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      now = now.plusSeconds(2);
      bridge.step();
      passing.pass(bridge, known, run());
    }
  }

  private OutsideRun run() {
    return bridge.run(TAG).orElseThrow();
  }

  private void shows(OutsideState state, OutsideRunState as) throws Exception {
    shown = state;
    looks(3);
    assertEquals(as, run().state());
  }

  private void order(String order) throws IOException {
    OrderSubject subject = OrderSubject.of(order);
    OrderPassing.asked(known, subject, order);
    switch (subject) {
      case STANDING -> known.stand(order);
      case HOLDING -> known.hold(order.equals(OrderSubject.HOLD));
      case LIMIT -> known.limit(OrderSubject.limitS(order));
      case SIGNAL -> known.signal(known.orders().last() + 1, Integer.parseInt(order));
    }
  }

  private RunHolding noted() throws Exception {
    return ForwardedRun.all(runs).get(0).orders().hold();
  }

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
