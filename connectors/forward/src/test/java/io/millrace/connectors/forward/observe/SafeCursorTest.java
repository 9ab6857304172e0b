package io.millrace.connectors.forward.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideId;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SafeCursorTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final OutsideId ONE = OutsideId.of(1);
  private static final OutsideId TWO = OutsideId.of(2);

  private final SafeCursor safe = new SafeCursor();

  @Test
  void itIsBeforeTheOldestRecordThatWaits() {
    safe.read("a", Set.of(), NOON);
    assertEquals("b", safe.of("b", Set.of(), NOON));
    safe.read("b", Set.of(ONE), NOON);
    safe.read("c", Set.of(ONE, TWO), NOON);
    assertEquals("b", safe.of("d", Set.of(ONE, TWO), NOON));
    assertEquals("c", safe.of("d", Set.of(TWO), NOON));
    assertEquals("d", safe.of("d", Set.of(), NOON));
  }

  @Test
  void aLaterOneThatIsSettledFirstChangesNothing() {
    safe.read("a", Set.of(ONE), NOON);
    safe.read("b", Set.of(ONE, TWO), NOON);
    assertEquals("a", safe.of("c", Set.of(ONE), NOON));
    assertEquals("c", safe.of("c", Set.of(), NOON));
  }

  @Test
  void aRecordOfAJobThatGoesOnDoesNotHoldItBackForEver() {
    safe.read("a", Set.of(ONE), NOON);
    Instant late = NOON.plus(SafeCursor.LONGEST);
    assertEquals("a", safe.of("b", Set.of(ONE), late));
    assertEquals("b", safe.of("b", Set.of(ONE), late.plusSeconds(1)));
    safe.read("b", Set.of(ONE), late);
    assertEquals("c", safe.of("c", Set.of(ONE), late), "it is the same record");
  }
}
