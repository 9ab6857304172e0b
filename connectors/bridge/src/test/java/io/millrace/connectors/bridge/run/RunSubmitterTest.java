package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is submitted when a queue is not there yet. */
class RunSubmitterTest {

  private static final BridgeTerms TERMS =
      new BridgeTerms(
          Duration.ofSeconds(5),
          Duration.ofSeconds(300),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          100,
          100,
          100);

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private boolean there;

  private Object answer(String question, Object[] arguments) {
    if (!question.equals("submit")) {
      throw new UnsupportedOperationException(question);
    }
    OutsideSubmission order = (OutsideSubmission) arguments[0];
    String queue = order.place().queue().orElseThrow();
    asked.add(queue);
    return queue.equals("late") && !there
        ? new Submitted.NotYet("no queue")
        : new Submitted.Accepted(OutsideId.of(asked.size()));
  }

  private static OutsideSubmission order(int job, String queue) {
    return new OutsideSubmission(
        new OutsideTag("c1", Integer.toString(job), 1),
        "alice",
        "a",
        OutsideSubmission.OutsidePlace.of(Optional.of(queue)),
        1,
        Optional.empty(),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }

  /** The others go on, and it is tried again after a pause, as often as it takes. */
  @Test
  void aQueueThatIsNotThereYetIsNoFailureOfTheCluster() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideSystem system =
          (OutsideSystem)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {OutsideSystem.class},
                  (proxy, method, arguments) -> answer(method.getName(), arguments));
      BridgeParts parts = new BridgeParts(system, null, journal, TERMS, () -> now);
      RunSubmitter submitter = new RunSubmitter(parts, breaker, new AccountingReader(parts));
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
}
