package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutsideBridgeTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private boolean queueFails = true;

  private Object answer(String question) {
    return switch (question) {
      case "snapshot" -> queueFails ? Told.nothing("no queue") : Told.of(List.of());
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private static OutsideRun submitted(Instant now) {
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c1", "5", 1),
            "alice",
            "a",
            OutsideSubmission.OutsidePlace.of(Optional.empty()),
            1,
            Optional.empty(),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    return OutsideRun.ordered(order, now).aboutToSubmit(now).submittedAs(OutsideId.of(7), now);
  }

  private void steps(OutsideBridge bridge) throws Exception {
    for (int i = 0; i < 4; i++) {
      now = now.plusSeconds(40);
      bridge.step();
    }
  }

  /** Its last run may have ended by accounting or its exit file meanwhile. */
  @Test
  void aQueueThatWasNotToldIsAskedAgainThoughNothingIsThere() throws Exception {
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, arguments) -> answer(method.getName()));
    BridgeTerms terms = new BridgeTerms(SECOND, SECOND, SECOND, SECOND, 9, 9, 9);
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideBridge bridge =
          new OutsideBridge(new BridgeParts(system, null, journal, terms, () -> now), breaker);
      OutsideRun run = submitted(now);
      journal.put(run);
      steps(bridge);
      assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(run.tag()).orElseThrow().state());
      journal.put(run.ended(OutsideEnd.of(OutsideCause.UNKNOWN, "its record is there"), now));
      breaker.answered();
      assertEquals(Optional.of("no queue"), bridge.trouble());
      queueFails = false;
      steps(bridge);
      assertEquals(Optional.empty(), bridge.trouble());
    }
  }
}
