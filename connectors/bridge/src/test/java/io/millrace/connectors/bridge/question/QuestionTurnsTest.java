package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class QuestionTurnsTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final Duration GAP = Duration.ofSeconds(5);

  private final QuestionTurns turns = new QuestionTurns(GAP);
  private final QueryPace queue = new QueryPace(GAP, Duration.ofSeconds(300));
  private final QueryPace hosts = new QueryPace(Duration.ofSeconds(10), Duration.ofSeconds(300));

  private boolean asks(QueryPace pace, Instant now) {
    if (!pace.isDue(now) || !turns.takes(pace, now)) {
      return false;
    }
    pace.asked(now, Duration.ofMillis(100));
    return true;
  }

  /** The queue is looked at five times as often, as by the thread of a bridge. */
  @Test
  void bothComeAndNoSoonerThanOneMay() {
    int ofQueue = 0;
    int ofHosts = 0;
    for (int tick = 0; tick < 5 * 60; tick++) {
      Instant now = NOW.plusMillis(200L * tick);
      ofQueue += asks(queue, now) ? 1 : 0;
      ofHosts += tick % 5 == 3 && asks(hosts, now) ? 1 : 0;
    }
    // Of twelve turns in a minute, and the first of each at once.
    assertTrue(ofQueue + ofHosts <= 13, ofQueue + " and " + ofHosts);
    assertTrue(ofHosts >= 4, ofHosts + " of the hosts");
    assertTrue(ofQueue >= 6, ofQueue + " of the queue");
  }

  @Test
  void whoDoesNotComeBackKeepsNobodyWaiting() {
    assertTrue(asks(queue, NOW));
    assertTrue(asks(hosts, NOW));
    assertFalse(turns.takes(hosts, NOW.plusSeconds(1)));
    assertFalse(asks(queue, NOW.plusSeconds(6)));
    assertTrue(asks(queue, NOW.plusSeconds(11)));
  }

  @Test
  void aClockThatIsPutBackDelaysNothing() {
    assertTrue(asks(queue, NOW));
    assertTrue(asks(hosts, NOW));
    assertTrue(asks(queue, NOW.minus(Duration.ofHours(1))));
    assertEquals(true, turns.takes(hosts, NOW.minus(Duration.ofHours(2))));
  }
}
