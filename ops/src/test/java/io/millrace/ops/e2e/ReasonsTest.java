package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A reason excuses nothing but its own difference. */
class ReasonsTest {

  private final Reasons reasons = read();

  private static Reasons read() {
    try {
      return Reasons.read("/golden/reasons-example.txt");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aReasonThatExplainsNothingIsTold() {
    assertEquals(Set.of("a (one|two)"), reasons.unused());
    reasons.needed("a two");
    assertEquals(Set.of(), reasons.unused());
  }

  @Test
  void aReasonForWhatIsEqualIsTold() {
    reasons.needed("a two");
    reasons.needless("a three");
    reasons.needless("b");
    assertEquals(Set.of(), reasons.unused());
    reasons.needless("a one");
    assertEquals(1, reasons.unused().size());
    assertTrue(reasons.unused().iterator().next().contains("has an equal a one"));
  }
}
