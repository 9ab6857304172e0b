package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SessionSlotsTest {
  private static final int OPENING = 1024;
  private final SessionSlots slots =
      new SessionSlots(new SessionLimits(512, 128, 512, 256, OPENING, SessionTimeouts.defaults()));

  /** Eight users who take all that they can get. */
  @Test
  void aFewUsersDoNotTakeAllSessions() {
    int[] taken = {128, 128, 128, 64, 32, 16, 8, 4};
    for (int i = 0; i < taken.length; i++) {
      String user = "user" + i;
      int own = 0;
      while (slots.enter(user)) {
        own++;
      }
      assertEquals(taken[i], own, user);
    }
    assertTrue(slots.enter("mary"));
    for (int i = 0; i < 128; i++) {
      slots.leave("user0");
    }
    assertTrue(slots.enter("user7"), "what was given back is for all");
  }

  @Test
  void norAllLastingOnesNorTheMemory() {
    for (String user : new String[] {"eve", "mallory", "trudy"}) {
      while (slots.enterLasting(user)) {
        assertTrue(slots.open() <= 512);
      }
      while (slots.hold(user, OPENING / 4)) {
        assertTrue(slots.open() <= 512);
      }
    }
    assertTrue(slots.enterLasting("mary"));
    assertTrue(slots.hold("mary", OPENING / 4));
    assertFalse(slots.enterLasting("eve"));
    assertFalse(slots.hold("eve", 1));
  }
}
