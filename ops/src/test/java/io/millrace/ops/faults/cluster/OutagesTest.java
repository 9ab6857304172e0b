package io.millrace.ops.faults.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What is out comes back: after its time, or when the run is over. */
class OutagesTest {

  private static final long PATIENCE_MS = 60_000;
  private static final long LONG_MS = 600_000;

  private final List<String> steps = new CopyOnWriteArrayList<>();

  @Test
  void itComesBackByItself() throws Exception {
    try (Outages outages = new Outages()) {
      assertTrue(outages.begin("a", 1, () -> steps.add("out"), () -> steps.add("back")));
      outages.awaitOver(PATIENCE_MS);
      assertEquals(List.of("out", "back"), steps);
      assertTrue(outages.begin("a", 1, () -> steps.add("again"), () -> steps.add("back")));
    }
  }

  @Test
  void whatIsOutIsNotTakenOutOnceMoreAndIsBackAtTheEnd() throws Exception {
    try (Outages outages = new Outages()) {
      assertTrue(outages.begin("a", LONG_MS, () -> steps.add("out"), () -> steps.add("back")));
      assertFalse(outages.begin("a", LONG_MS, () -> steps.add("out"), () -> steps.add("back")));
      IOException open = assertThrows(IOException.class, () -> outages.awaitOver(1));
      assertEquals("[a] does not end", open.getMessage());
    }
    assertEquals(List.of("out", "back"), steps);
  }

  @Test
  void whatCannotComeBackIsSaid() throws Exception {
    try (Outages outages = new Outages()) {
      outages.begin(
          "a",
          1,
          () -> steps.add("out"),
          () -> {
            throw new IOException("no such link");
          });
      IOException said = assertThrows(IOException.class, () -> outages.awaitOver(PATIENCE_MS));
      assertEquals("no such link", said.getMessage());
    }
  }
}
