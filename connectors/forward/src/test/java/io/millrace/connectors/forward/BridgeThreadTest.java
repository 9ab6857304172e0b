package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ends the bridge's thread, and what is wrong outside, is seen. */
class BridgeThreadTest {

  @TempDir Path folder;

  private final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();

  /** What the next submissions meet. */
  private final Queue<Submitted> submissions = new ConcurrentLinkedQueue<>();

  private RunJournal journal;
  private BridgeThread thread;

  @BeforeEach
  void begin() throws IOException {
    journal = RunJournal.open(folder.resolve("journal"));
    SharedRunFolders folders = PlayedBridge.folders(folder.resolve("spool"));
    OutsideBridge bridge =
        PlayedBridge.of(journal, folders, (question, arguments) -> answer(question));
    thread = new BridgeThread(bridge, troubles::add);
    thread.start();
  }

  @AfterEach
  void end() throws IOException {
    thread.close();
    journal.close();
  }

  private Object answer(String question) {
    return switch (question) {
      case "submit" -> submissions.remove();
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot", "tagged" -> Told.of(List.of());
      default -> false;
    };
  }

  private void seen(Error error) throws InterruptedException {
    thread.awaitEnd();
    IOException seen = assertThrows(IOException.class, thread::requireRunning);
    assertSame(error, seen.getCause());
    assertEquals(
        "the cluster's runs are not followed any more: java.lang.NoClassDefFoundError: a/B",
        seen.getMessage());
    assertThrows(IOException.class, () -> thread.call(bridge -> null), "nobody waits for ever");
  }

  @Test
  void anErrorOfAStepIsSeen() throws Exception {
    thread.requireRunning();
    Error error = new NoClassDefFoundError("a/B");
    thread.watch(
        bridge -> {
          throw error;
        });
    seen(error);
  }

  @Test
  void anErrorOfACallIsSeenByItsCallerToo() throws Exception {
    Error error = new NoClassDefFoundError("a/B");
    IOException told =
        assertThrows(
            IOException.class,
            () ->
                thread.call(
                    bridge -> {
                      throw error;
                    }));
    assertSame(error, told.getCause());
    seen(error);
  }

  private static final class FullDisk extends IOException {
    private static final long serialVersionUID = 1L;

    FullDisk() {
      super("no space left on device");
    }
  }

  /** As an order to delete a run: it is made when there is room, and others are not kept by it. */
  @Test
  @Timeout(60)
  void aCallThatTheDiskHasNoRoomForIsMadeAgain() throws Exception {
    AtomicInteger trials = new AtomicInteger();
    CountDownLatch made = new CountDownLatch(2);
    AtomicBoolean full = new AtomicBoolean(true);
    for (int i = 0; i < 3; i++) {
      thread.later(
          "run 12 cannot be deleted",
          bridge -> {
            trials.incrementAndGet();
            if (full.get()) {
              throw new FullDisk();
            }
            made.countDown();
            return null;
          });
    }
    while (trials.get() < 6) {
      thread.call(bridge -> null); // comes between two steps
    }
    thread.later(
        "run 13 cannot be deleted",
        bridge -> {
          made.countDown();
          return null;
        });
    full.set(false);
    assertTrue(made.await(30, TimeUnit.SECONDS));
    int before = trials.get();
    for (int i = 0; i < 5; i++) {
      thread.call(bridge -> null);
    }
    assertEquals(before, trials.get(), "made once, though it was asked for three times");
  }

  /** However many have failed, the bridge has its step soon. */
  @Test
  void manyCallsThatFailAreTriedSomeAtATime() throws Exception {
    KeptCalls kept = new KeptCalls(null);
    AtomicInteger trials = new AtomicInteger();
    AtomicBoolean full = new AtomicBoolean(true);
    for (int i = 0; i < 25; i++) {
      kept.make(
          "call " + i,
          bridge -> {
            trials.incrementAndGet();
            if (full.get()) {
              throw new FullDisk();
            }
            return null;
          });
    }
    trials.set(0);
    kept.makeAgain();
    assertEquals(10, trials.get());
    full.set(false);
    kept.makeAgain();
    assertEquals(35, trials.get(), "each of them");
    kept.makeAgain();
    assertEquals(35, trials.get(), "none is kept");
  }

  /** Many come one after another; each would wait for a command that takes long. */
  @Test
  void anOrderDoesNotWaitForAStep() throws Exception {
    CountDownLatch ordered = new CountDownLatch(1);
    thread.later("run 11 cannot be deleted", bridge -> ordered.await(60, TimeUnit.SECONDS));
    OutsideSubmission order = PlayedBridge.order(new OutsideTag("c1", "12", 1));
    assertTrue(thread.order(order));
    assertTrue(thread.order(order), "the same changes nothing");
    ordered.countDown();
    assertEquals(1, thread.call(bridge -> bridge.runs().size()).intValue());
  }

  @Test
  void whatIsWrongOutsideIsToldWhenItChanges() throws Exception {
    submissions.add(new Submitted.NotSent("it is away"));
    submissions.add(new Submitted.NotSent("it is away"));
    submissions.add(new Submitted.SubmissionRefused("no such queue"));
    OutsideSubmission order = PlayedBridge.order(new OutsideTag("c1", "12", 1));
    thread.call(bridge -> bridge.order(order));
    assertEquals("it is away", troubles.poll(30, TimeUnit.SECONDS));
    assertEquals("", troubles.poll(60, TimeUnit.SECONDS));
    assertEquals(List.of(), List.copyOf(troubles), "each time once");
  }
}
