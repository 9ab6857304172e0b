package io.millrace.connectors.bridge.run;

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

  @Test
  void aClockThatIsPutBackDelaysNothing() {
    pace.asked(NOW, Duration.ofSeconds(1));
    assertTrue(pace.isDue(NOW.minus(Duration.ofHours(1))));
  }
}
