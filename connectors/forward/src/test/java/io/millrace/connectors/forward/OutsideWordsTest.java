package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutsideWordsTest {

  private static final Optional<String> TROUBLE = Optional.of("squeue: no answer within 20 s");

  private static OutsideRun run(OutsideRunState state) {
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c1", "12", 1),
            "alice",
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            new OutsideAmounts(List.of(new OutsideShare(1, 0, 1, Map.of())), Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    Instant now = Instant.parse("2026-11-25T10:00:00.123Z");
    return new OutsideRun(
        order,
        state,
        now,
        Optional.of(OutsideId.of(7)),
        Optional.of(now),
        1,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void aRunThatIsNotHeardOfSaysSinceWhenAndWhy() {
    assertEquals(
        "Job 7 of cluster c1 is not heard of since 2026-11-25T10:00:00Z: squeue: no answer within"
            + " 20 s",
        OutsideWords.of(run(OutsideRunState.NOT_HEARD_OF), false, TROUBLE));
    assertEquals(
        "Job 7 of cluster c1 is not heard of since 2026-11-25T10:00:00Z",
        OutsideWords.of(run(OutsideRunState.NOT_HEARD_OF), false, Optional.empty()));
  }

  @Test
  void whatRunsNeedsNoWords() {
    assertEquals("", OutsideWords.of(run(OutsideRunState.RUNNING), false, TROUBLE));
    assertEquals(
        "Job 7 of cluster c1 waits there",
        OutsideWords.of(run(OutsideRunState.WAITING), false, TROUBLE));
    assertEquals(
        "Job 7 of cluster c1 is held there",
        OutsideWords.of(run(OutsideRunState.WAITING), true, TROUBLE));
  }
}
