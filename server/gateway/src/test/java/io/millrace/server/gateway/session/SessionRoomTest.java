package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SessionRoomTest {
  private static final int OPENING = 1024;

  /** Sixteen openings for all, eight for one user. */
  private final SessionSlots slots =
      new SessionSlots(new SessionLimits(4, 4, 0, 0, OPENING, SessionTimeouts.defaults()));

  @Test
  void aScriptTakesThePlaceOfTheOneBeforeAndGoesWithItsSession() {
    SessionRoom one = new SessionRoom(slots, "ann");
    assertTrue(one.take(OPENING));
    assertTrue(one.input(5 * OPENING));
    assertTrue(one.input(7 * OPENING));
    assertFalse(one.input(8 * OPENING), "with the opening one user has nine");
    try (SessionRoom other = new SessionRoom(slots, "ann")) {
      assertFalse(other.take(1));
      assertTrue(one.input(OPENING));
      assertTrue(other.input(6 * OPENING));
    }
    one.close();
    try (SessionRoom next = new SessionRoom(slots, "ann")) {
      assertTrue(next.input(8 * OPENING), "all was given back");
    }
  }
}
