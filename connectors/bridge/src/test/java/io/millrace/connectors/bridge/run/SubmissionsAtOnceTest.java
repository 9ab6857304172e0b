package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Submitted;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions of which some are under way together. */
class SubmissionsAtOnceTest {

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");

  /**
   * @param answer to each submission
   */
  private RunSubmitter submitter(RunJournal journal, int most, Callable<Submitted> answer) {
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, arguments) -> answer.call());
    BridgeParts parts =
        new BridgeParts(system, null, journal, RunSubmitterTest.atOnce(most), () -> now);
    return new RunSubmitter(parts, breaker, new AccountingReader(parts));
  }

  /** One whose answer does not come keeps no others waiting, and there are no more than allowed. */
  @Test
  void someAreUnderWayTogether() throws Exception {
    int most = 3;
    CountDownLatch together = new CountDownLatch(most);
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger peak = new AtomicInteger();
    AtomicInteger numbers = new AtomicInteger();
    Callable<Submitted> answer =
        () -> {
          peak.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          together.countDown();
          boolean met = together.await(60, TimeUnit.SECONDS);
          underWay.decrementAndGet();
          return met
              ? new Submitted.Accepted(OutsideId.of(numbers.incrementAndGet()))
              : new Submitted.SubmissionUnclear("it was alone");
        };
    try (RunJournal journal = RunJournal.open(folder)) {
      for (int i = 0; i < 7; i++) {
        journal.put(OutsideRun.ordered(RunSubmitterTest.order(i, "q", "alice"), now));
      }
      RunSubmitter submitter = submitter(journal, most, answer);
      for (int i = 0; i < 3; i++) {
        submitter.submitDue();
        submitter.awaitAnswers();
      }
      assertEquals(7, journal.count(OutsideRunState.SUBMITTED));
      assertEquals(most, peak.get());
      Set<Long> ids = new TreeSet<>();
      journal.outside().forEach(it -> ids.add(it.id().orElseThrow().number()));
      assertEquals(Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), ids);
    }
  }

  /** Four that are refused together are one refusal: the next pause is twice as long, no more. */
  @Test
  void refusalsAtOnceMakeThePauseLongerOnce() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Callable<Submitted> answer =
        () -> {
          calls.incrementAndGet();
          return new Submitted.AccountRefused("no password of bob");
        };
    try (RunJournal journal = RunJournal.open(folder)) {
      for (int i = 0; i < 4; i++) {
        journal.put(OutsideRun.ordered(RunSubmitterTest.order(i, "q", "bob"), now));
      }
      RunSubmitter submitter = submitter(journal, 4, answer);
      submitter.submitDue();
      submitter.awaitAnswers();
      assertEquals(4, calls.get());
      now = now.plus(RunSubmitterTest.TERMS.queryLeast());
      submitter.submitDue();
      submitter.awaitAnswers();
      assertEquals(8, calls.get());
      now = now.plus(RunSubmitterTest.TERMS.queryLeast());
      submitter.submitDue();
      submitter.awaitAnswers();
      assertEquals(8, calls.get());
      now = now.plus(RunSubmitterTest.TERMS.queryLeast());
      submitter.submitDue();
      submitter.awaitAnswers();
      assertEquals(12, calls.get());
    }
  }

  /** Who is ended meanwhile leaves what is under way as what nobody has heard of. */
  @Test
  void anInterruptionLosesNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    Callable<Submitted> answer =
        () -> {
          begun.countDown();
          new CountDownLatch(1).await();
          return null;
        };
    try (RunJournal journal = RunJournal.open(folder)) {
      for (int i = 0; i < 3; i++) {
        journal.put(OutsideRun.ordered(RunSubmitterTest.order(i, "q", "alice"), now));
      }
      RunSubmitter submitter = submitter(journal, 2, answer);
      Thread test = Thread.currentThread();
      Thread ender =
          new Thread(
              () -> {
                try {
                  begun.await();
                  test.interrupt();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      ender.start();
      submitter.submitDue();
      assertThrows(InterruptedException.class, submitter::awaitAnswers);
      ender.join();
      assertEquals(2, journal.count(OutsideRunState.ABOUT_TO_SUBMIT));
    }
  }
}
