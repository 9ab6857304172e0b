package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Orders to a run that an outside system has which a test plays. */
abstract class PlayedOrders {
  static final OutsideTag TAG = new OutsideTag("c1", "12", 1);
  static final OutsideId NUMBER = OutsideId.of(77);
  static final RunId ID = new RunId("12.vm", 1);
  static final Controlled NO = new Controlled.ControlRefused("you may\nnot");

  @TempDir Path folder;

  final List<String> asked = new ArrayList<>();
  final List<OutsideReply> told = new ArrayList<>();
  int submitted;

  /** Comes from another thread while an order is about to be passed on; empty for nothing. */
  String meanwhile = "";

  /** The same while it is passed on. */
  String whileAsked = "";

  Controlled answer = new Controlled.Done("");
  OutsideState shown = OutsideState.WAITING;
  Instant now = Instant.parse("2026-11-30T10:00:00Z");
  Path runs;
  RunJournal journal;
  OutsideBridge bridge;
  KnownRun known;
  OrderPassing passing;

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
  Instant instant() {
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
  void looks(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      now = now.plusSeconds(2);
      bridge.step();
      passing.pass(bridge, known, run());
    }
  }

  OutsideRun run() {
    return bridge.run(TAG).orElseThrow();
  }

  void shows(OutsideState state, OutsideRunState as) throws Exception {
    shown = state;
    looks(3);
    assertEquals(as, run().state());
  }

  void order(String order) throws IOException {
    OrderSubject subject = OrderSubject.of(order);
    OrderPassing.asked(known, subject, order);
    switch (subject) {
      case STANDING -> known.stand(order);
      case HOLDING -> known.hold(order.equals(OrderSubject.HOLD));
      case LIMIT -> known.limit(OrderSubject.limitS(order));
      case SIGNAL -> known.signal(known.orders().last() + 1, Integer.parseInt(order));
    }
  }

  RunHolding noted() throws Exception {
    return ForwardedRun.all(runs).get(0).orders().hold();
  }
}
