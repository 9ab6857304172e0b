package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class QueryPaceTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  private final QueryPace pace = new QueryPace(Duration.ofSeconds(5), Duration.ofSeconds(300));

  @Test
  void questionsTakeATwentiethOfTheTimeAtMost() {
    assertTrue(pace.isDue(NOW));
    pace.asked(NOW, Duration.ofSeconds(1));
    assertFalse(pace.isDue(NOW.plusSeconds(19)));
    assertTrue(pace.isDue(NOW.plusSeconds(20)));
  }

  /** One that ran into its time limit is no measure of how long answers take. */
  @Test
  void questionsInVainMakeTheNextOneLater() {
    pace.failed(NOW, Duration.ZERO);
    assertEquals(Duration.ofSeconds(5), pace.interval());
    pace.failed(NOW, Duration.ZERO);
    assertEquals(Duration.ofSeconds(10), pace.interval());
    pace.failed(NOW, Duration.ofSeconds(2));
    assertEquals(Duration.ofSeconds(20), pace.interval());
    pace.failed(NOW, Duration.ofSeconds(55));
    assertEquals(Duration.ofSeconds(110), pace.interval());
    for (int i = 0; i < 5; i++) {
      pace.failed(NOW, Duration.ZERO);
    }
    assertEquals(Duration.ofSeconds(300), pace.interval());
    assertFalse(pace.isDue(NOW.plusSeconds(299)));
    pace.asked(NOW, Duration.ZERO);
    assertEquals(Duration.ofSeconds(5), pace.interval());
  }

  @Test
  void aClockThatIsPutBackDelaysNothing() {
    pace.asked(NOW, Duration.ofSeconds(1));
    assertTrue(pace.isDue(NOW.minus(Duration.ofHours(1))));
  }
}
