package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import org.junit.jupiter.api.Test;

/** How long executors were not heard. */
class HeartbeatTableTest {
  private final HeartbeatTable heard = new HeartbeatTable(Topics.HEARTBEAT_S);

  private void pulses(int count) {
    for (int i = 0; i < count; i++) {
      heard.pulse();
    }
  }

  @Test
  void silenceIsCountedInPulsesBehindTheLastBeat() {
    heard.beat("h", "x");
    pulses(1);
    assertTrue(heard.beats("h", "x"));
    pulses(14);
    assertEquals(30, heard.unheardS("h", "x"));
    assertFalse(heard.beats("h", "x"));
    heard.beat("h", "x");
    assertEquals(0, heard.unheardS("h", "x"));
  }

  @Test
  void noneOfTwoExecutorsUnderOneNameSpeaksForTheOther() {
    pulses(1000);
    for (int i = 0; i < 20; i++) {
      heard.beat("h", "x");
      heard.beat("h", "y");
      pulses(1);
      assertEquals(2, heard.unheardS("h", "x"));
      assertEquals(2, heard.unheardS("h", "y"));
    }
    for (int i = 0; i < 20; i++) {
      heard.beat("h", "y");
      pulses(1);
    }
    assertEquals(42, heard.unheardS("h", "x"));
    assertFalse(heard.beats("h", "x"));
    assertTrue(heard.beats("h", "y"));
  }

  /** Each with the password of an executor may beat under any name. */
  @Test
  void whoIsNotKnownDoesNotFillTheMemory() {
    heard.cameUp("h", "x");
    heard.beat("n".repeat(256), "x");
    heard.beat("h", "n".repeat(256));
    assertEquals(1, heard.size());
    for (int i = 0; i < HeartbeatTable.STRANGERS_MAX + 100; i++) {
      heard.beat("h" + i, "x");
    }
    assertEquals(HeartbeatTable.STRANGERS_MAX, heard.size());
    pulses(10);
    heard.beat("h", "x");
    assertTrue(heard.beats("h", "x"), "who is known is heard all the same");
    heard.cameUp("new", "x");
    heard.beat("new", "x");
    assertTrue(heard.beats("new", "x"));
  }

  @Test
  void nobodyIsMissedBeforeHeWasKnown() {
    pulses(1000);
    assertEquals(0, heard.unheardS("h", "x"));
    pulses(20);
    assertEquals(40, heard.unheardS("h", "x"));
    assertFalse(heard.beats("h", "x"));
    heard.cameUp("h", "x");
    assertEquals(0, heard.unheardS("h", "x"));
    assertFalse(heard.beats("h", "x"), "it was not heard");
  }

  @Test
  void whoIsMissedIsRememberedAndWhoNobodyAsksForIsForgotten() {
    heard.beat("h", "x");
    heard.beat("h", "y");
    for (int i = 0; i < 7200; i++) {
      pulses(1);
      heard.unheardS("h", "x");
    }
    assertEquals(14_400, heard.unheardS("h", "x"), "node_fail_requeue may be longer than an hour");
    assertEquals(1, heard.size());
  }
}
