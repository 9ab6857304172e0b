package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is submitted when a queue is not there yet, or an account is refused. */
class RunSubmitterTest {

  static final BridgeTerms TERMS =
      new BridgeTerms(
          Duration.ofSeconds(5),
          Duration.ofSeconds(300),
          Duration.ofSeconds(20),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          100,
          100,
          100,
          1);

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private boolean there;

  /** So many lines fit on the journal's disk. */
  private int room = 100;

  /** Until when a command is seen that submits. */
  private Instant commandEnd = Instant.MIN;

  private Object answer(String question, Object[] arguments) {
    if (!question.equals("submit")) {
      throw new UnsupportedOperationException(question);
    }
    OutsideSubmission order = (OutsideSubmission) arguments[0];
    String queue = order.place().queue().orElseThrow();
    asked.add(order.account().equals("alice") ? queue : order.account());
    if (order.account().equals("bob") && !there) {
      return new Submitted.AccountRefused("no password of bob");
    }
    if (order.account().equals("dan") && !there) {
      return new Submitted.LimitReached("only 2 jobs are allowed per user");
    }
    if (order.account().equals("eve") && order.tag().equals(new OutsideTag("c1", "1", 1))) {
      return new Submitted.LimitReached("job submit limit, user's size and/or time limits");
    }
    return queue.equals("late") && !there
        ? new Submitted.NotYet("no queue")
        : new Submitted.Accepted(OutsideId.of(asked.size()));
  }

  static OutsideSubmission order(int job, String queue) {
    return order(job, queue, "alice");
  }

  static OutsideSubmission order(int job, String queue, String account) {
    return new OutsideSubmission(
        new OutsideTag("c1", Integer.toString(job), 1),
        account,
        "a",
        new OutsideSubmission.OutsidePlace(Optional.of(queue), List.of()),
        SomeAmounts.of(1, 0, Optional.empty()),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }

  private RunSubmitter submitter(RunJournal journal) {
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    BridgeParts parts = new BridgeParts(system, null, journal, TERMS, () -> now);
    return new RunSubmitter(parts, breaker, new AccountingReader(parts));
  }

  static BridgeTerms atOnce(int submissions) {
    return new BridgeTerms(
        TERMS.queryLeast(),
        TERMS.queryMost(),
        TERMS.commandLimit(),
        TERMS.settle(),
        TERMS.settle(),
        9,
        9,
        9,
        submissions);
  }

  /** The others go on; it is tried again in pauses that grow, and no attempt is counted. */
  @Test
  void anAccountThatIsRefusedIsNoFailureOfTheCluster() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = submitter(journal);
      for (int i = 0; i < 6; i++) {
        journal.put(OutsideRun.ordered(order(i, "q", i < 5 ? "bob" : "alice"), now));
      }
      submitter.submitDue();
      assertEquals(List.of("bob", "q"), asked);
      assertEquals(Optional.of("in the name of bob: no password of bob"), submitter.trouble());
      for (int i = 0; i < 720; i++) {
        now = now.plusSeconds(5);
        submitter.submitDue();
      }
      // After 5, 10, 20, 40, 80, 160 s and then each 300 s of an hour.
      assertEquals(2 + 6 + 10, asked.size());
      assertFalse(breaker.isOpen());
      assertEquals(Optional.empty(), breaker.silentSince());
      assertEquals(5, journal.count(OutsideRunState.ORDERED));
      journal.runs(OutsideRunState.ORDERED).forEach(it -> assertEquals(0, it.attempts()));
      there = true;
      now = now.plusSeconds(300);
      submitter.submitDue();
      assertEquals(6, journal.count(OutsideRunState.SUBMITTED));
      assertEquals(Optional.empty(), submitter.trouble());
    }
  }

  /** As soon as there may be more they go; that is no trouble, but is said of those that wait. */
  @Test
  void whoHasAsManyJobsAsAllowedIsTriedAgainSoon() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = submitter(journal);
      for (int i = 0; i < 4; i++) {
        journal.put(OutsideRun.ordered(order(i, "q", i < 3 ? "dan" : "alice"), now));
      }
      submitter.submitDue();
      assertEquals(List.of("dan", "q"), asked);
      assertEquals(Optional.empty(), submitter.trouble());
      assertEquals(Optional.of("only 2 jobs are allowed per user"), submitter.trouble("dan"));
      assertEquals(Optional.empty(), submitter.trouble("alice"));
      for (int i = 0; i < 60; i++) {
        now = now.plusSeconds(5);
        submitter.submitDue();
      }
      assertEquals(2 + 60, asked.size(), "each 5 s, not in pauses that grow");
      journal.runs(OutsideRunState.ORDERED).forEach(it -> assertEquals(0, it.attempts()));
      assertFalse(breaker.isOpen());
      there = true;
      now = now.plusSeconds(5);
      submitter.submitDue();
      assertEquals(4, journal.count(OutsideRunState.SUBMITTED));
      assertEquals(Optional.empty(), submitter.trouble("dan"));
    }
  }

  /** It may be one run alone that is too large, which is said in the same words. */
  @Test
  void aRunThatALimitKeepsOutKeepsNoOthersBack() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = submitter(journal);
      for (int i = 1; i <= 3; i++) {
        journal.put(OutsideRun.ordered(order(i, "q", "eve"), now));
      }
      submitter.submitDue();
      assertEquals(3, journal.count(OutsideRunState.ORDERED));
      now = now.plusSeconds(5);
      submitter.submitDue();
      assertEquals(2, journal.count(OutsideRunState.SUBMITTED));
      assertEquals(1, journal.count(OutsideRunState.ORDERED));
    }
  }

  @Test
  void aClockThatIsPutBackDelaysNobody() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = submitter(journal);
      journal.put(OutsideRun.ordered(order(1, "q", "bob"), now));
      journal.put(OutsideRun.ordered(order(2, "late"), now));
      submitter.submitDue();
      assertEquals(List.of("bob", "late"), asked);
      there = true;
      now = now.minus(Duration.ofDays(2));
      submitter.submitDue();
      assertEquals(2, journal.count(OutsideRunState.SUBMITTED));
    }
  }

  /** The others go on, and it is tried again after a pause, as often as it takes. */
  @Test
  void aQueueThatIsNotThereYetIsNoFailureOfTheCluster() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      RunSubmitter submitter = submitter(journal);
      for (int i = 0; i < 4; i++) {
        journal.put(OutsideRun.ordered(order(i, i < 3 ? "late" : "other"), now));
      }
      submitter.submitDue();
      assertEquals(List.of("late", "other"), asked);
      submitter.submitDue();
      assertEquals(2, asked.size(), "not at once");
      for (int i = 0; i < 50; i++) {
        now = now.plusSeconds(5);
        submitter.submitDue();
      }
      assertEquals(52, asked.size());
      assertFalse(breaker.isOpen());
      assertEquals(3, journal.count(OutsideRunState.ORDERED));
      there = true;
      now = now.plusSeconds(5);
      submitter.submitDue();
      assertEquals(4, journal.count(OutsideRunState.SUBMITTED));
    }
  }

  /** A system that has no jobs. */
  private BridgeParts empty(RunJournal journal, AtomicInteger looks, Supplier<Submitted> answer) {
    return empty(journal, looks, TERMS, answer);
  }

  private BridgeParts empty(
      RunJournal journal, AtomicInteger looks, BridgeTerms terms, Supplier<Submitted> answer) {
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, arguments) -> {
                  switch (method.getName()) {
                    case "hasAccounting":
                      return false;
                    case "isSubmitting":
                      return now.isBefore(commandEnd);
                    case "database":
                      return OutsideSystem.DatabaseState.NONE;
                    case "tagged":
                      looks.incrementAndGet();
                      return Told.of(List.of());
                    default:
                      return answer.get();
                  }
                });
    ClassLoader loader = getClass().getClassLoader();
    Class<?>[] only = {RunFolders.class};
    Object folders =
        Proxy.newProxyInstance(loader, only, (proxy, method, arguments) -> Optional.empty());
    return new BridgeParts(system, (RunFolders) folders, journal, terms, () -> now);
  }

  private Submitted fails() {
    now = now.plusSeconds(600);
    throw new IllegalStateException("no room to write it down");
  }

  /** However often that is so the run is not given up, and the system counts as one that speaks. */
  @Test
  void aSystemThatTakesNoMoreJobsIsTriedAgain() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(OutsideRun.ordered(order(1, "q"), now));
      BridgeParts parts =
          empty(
              journal,
              looks,
              () -> {
                calls.incrementAndGet();
                return new Submitted.SubmissionUnclear("queue full", true);
              });
      RunSubmitter submitter = new RunSubmitter(parts, breaker, new AccountingReader(parts));
      for (int i = 0; i < 200; i++) {
        submitter.lookDue();
        submitter.submitDue();
        now = now.plusSeconds(5);
      }
      assertTrue(calls.get() > 60, () -> calls + " calls");
      assertEquals(0, journal.count(OutsideRunState.ENDED));
      assertFalse(breaker.isOpen());
    }
  }

  /** 20 s for the command and 10 s after it, and one step of 5 s. */
  private void assertWaits(RunSubmitter submitter, RunJournal journal, AtomicInteger looks)
      throws Exception {
    Instant begin = now;
    while (journal.count(OutsideRunState.ABOUT_TO_SUBMIT) == 1) {
      submitter.lookDue();
      now = now.plusSeconds(5);
    }
    assertEquals(begin.plusSeconds(35), now);
    assertEquals(7, looks.get());
  }

  /** A command that was under way when its bridge was killed may live until its time limit. */
  @Test
  void whatABridgeBeforeWasAboutToSubmitMayComeYet() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(OutsideRun.ordered(order(1, "q"), now).aboutToSubmit(now));
      now = now.plusSeconds(600);
      BridgeParts parts = empty(journal, looks, this::fails);
      assertWaits(new RunSubmitter(parts, breaker, new AccountingReader(parts)), journal, looks);
    }
  }

  /** The same where the bridge itself lives on, as after a full disk. */
  @Test
  void whatWasSubmittedWhenSomethingFailedMayComeYet() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(OutsideRun.ordered(order(1, "q"), now));
      BridgeParts parts = empty(journal, looks, this::fails);
      RunSubmitter submitter = new RunSubmitter(parts, breaker, new AccountingReader(parts));
      assertThrows(IllegalStateException.class, submitter::submitDue);
      assertWaits(submitter, journal, looks);
    }
  }

  /** An sbatch before a full queue tries for minutes, also when nobody waits for it any more. */
  @Test
  void whatIsStillUnderWayIsNotSubmittedAgain() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(OutsideRun.ordered(order(1, "q"), now).aboutToSubmit(now));
      commandEnd = now.plusSeconds(120);
      BridgeParts parts = empty(journal, looks, this::fails);
      RunSubmitter submitter = new RunSubmitter(parts, breaker, new AccountingReader(parts));
      while (now.isBefore(commandEnd)) {
        submitter.lookDue();
        assertEquals(1, journal.count(OutsideRunState.ABOUT_TO_SUBMIT));
        now = now.plusSeconds(5);
      }
      submitter.lookDue();
      assertEquals(1, journal.count(OutsideRunState.ORDERED));
    }
  }

  private int write(FileChannel channel, ByteBuffer bytes) throws IOException {
    if (room == 0) {
      throw new IOException("no space left on device");
    }
    room--;
    return channel.write(bytes);
  }

  /** Nothing was started; however long there is no room the run is not given up. */
  @Test
  void aJournalWithoutRoomCountsNoAttempts() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (RunJournal journal = RunJournal.open(folder, channel -> bytes -> write(channel, bytes))) {
      for (int i = 0; i < 3; i++) {
        journal.put(OutsideRun.ordered(order(i, "q"), now));
      }
      BridgeParts parts =
          empty(
              journal,
              new AtomicInteger(),
              atOnce(3),
              () -> new Submitted.Accepted(OutsideId.of(calls.incrementAndGet())));
      RunSubmitter submitter = new RunSubmitter(parts, breaker, new AccountingReader(parts));
      for (int i = 0; i < 60; i++) {
        room = 2;
        assertThrows(IOException.class, submitter::submitDue);
        now = now.plusSeconds(60);
      }
      assertEquals(0, calls.get());
      room = 100;
      submitter.lookDue();
      assertEquals(3, journal.count(OutsideRunState.ORDERED));
      journal.runs(OutsideRunState.ORDERED).forEach(it -> assertEquals(0, it.attempts()));
      submitter.submitDue();
      submitter.awaitAnswers();
      assertEquals(3, journal.count(OutsideRunState.SUBMITTED));
    }
  }
}
