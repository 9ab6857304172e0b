package io.millrace.schemas.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ConnectionBoundsTest {

  @Test
  void whatIsGivenHoldsAndTheUsualElsewhere() {
    ConnectionBounds bounds = ConnectionBounds.parse("sessions=1024/256, http=500/500");
    assertEquals(new ConnectionBounds.ConnectionBound(1024, 256), bounds.sessions());
    assertEquals(new ConnectionBounds.ConnectionBound(500, 500), bounds.http());
    assertEquals(new ConnectionBounds.ConnectionBound(512, 256), bounds.lasting());
    assertEquals(new ConnectionBounds.ConnectionBound(2048, 256), bounds.openings());
    assertEquals(
        new ConnectionBounds.ConnectionBound(512, 128), ConnectionBounds.usual().sessions());
  }

  @Test
  void whatIsWrongIsRefusedByName() {
    for (String wrong : new String[] {"x=1/1", "sessions", "sessions=1", "sessions=1/1,", "a"}) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> ConnectionBounds.parse(wrong))
              .getMessage();
      assertTrue(said.startsWith("--bounds takes NAME=ALL/ONE,.. "), said);
    }
    for (String wrong : new String[] {"sessions=1/2", "http=1/0", "sessions=10001/1"}) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> ConnectionBounds.parse(wrong))
              .getMessage();
      assertEquals("--bounds: " + wrong + " is not within 1 <= ONE <= ALL <= 10000", said);
    }
  }
}
