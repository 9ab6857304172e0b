package io.millrace.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalBackOffTest {

  private final RefusalBackOff again = new RefusalBackOff();

  @Test
  void theLooksBetweenTwoTriesDoubleUpToABound() {
    List<Integer> tries = new ArrayList<>();
    for (int look = 1; look <= 64; look++) {
      if (again.due()) {
        tries.add(look);
        again.refused("not owner");
      }
    }
    assertEquals(List.of(1, 2, 4, 8, 16, 32, 48, 64), tries);
  }

  @Test
  void aRefusalIsToldWhenItIsAnotherOne() {
    assertTrue(again.refused("not owner"));
    assertFalse(again.refused("not owner"));
    assertTrue(again.refused("no answer"));
    assertTrue(again.refused("not owner"));
  }
}
