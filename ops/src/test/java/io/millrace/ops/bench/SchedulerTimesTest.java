package io.millrace.ops.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulerTimesTest {

  /** Without it all would seem to hear of nothing. */
  @Test
  void aNumberThatIsMissingIsNoZero() throws IOException {
    assertEquals(3, SchedulerTimes.facts(Map.of("b1", 3.0), "b1"));
    IOException missing =
        assertThrows(IOException.class, () -> SchedulerTimes.facts(Map.of("b1", 3.0), "b2"));
    assertEquals(
        "the server does not tell millrace_engine_facts_total of scheduler b2",
        missing.getMessage());
  }
}
