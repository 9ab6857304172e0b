package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PendingOpeningsTest {
  private final SessionSlots slots = new SessionSlots(SessionLimits.defaults());

  private PendingOpening of(String user) {
    PeerIdentity caller = new PeerIdentity(user, "staff", () -> "");
    return new PendingOpening(null, caller, new SessionRoom(slots, user), 1024, 0);
  }

  @Test
  void beyondTheBoundOfAUserHisOwnOldestGoes() {
    PendingOpenings pending = new PendingOpenings(10, 2);
    PendingOpening mary = of("mary");
    PendingOpening first = of("eve");
    PendingOpening second = of("eve");
    PendingOpening third = of("eve");
    for (PendingOpening each : List.of(mary, first, second)) {
      assertEquals(Optional.empty(), pending.add(each));
    }
    assertEquals(Optional.of(first), pending.add(third));
    assertEquals(Optional.of(mary), pending.oldest());
    pending.remove(second);
    pending.remove(second);
    assertEquals(Optional.empty(), pending.add(of("eve")));
    assertEquals(Optional.of(third), pending.add(of("eve")));
  }

  @Test
  void beyondTheBoundOfAllTheOldestOfWhoHasMostGoes() {
    PendingOpenings pending = new PendingOpenings(6, 4);
    PendingOpening john = of("john");
    pending.add(john);
    List<PendingOpening> eve = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      eve.add(of("eve"));
      pending.add(eve.get(i));
    }
    pending.add(of("mallory"));
    pending.add(of("mallory"));
    assertEquals(Optional.of(eve.get(0)), pending.add(of("mary")));
    assertEquals(Optional.of(john), pending.oldest(), "who has few is left alone");
    assertEquals(6, pending.clear().size());
    assertEquals(Optional.empty(), pending.oldestOfTheLargest());
  }
}
