package io.millrace.server.campaigns.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GrowingPauseTest {

  @Test
  void whatFailsForEverIsTriedSeldom() {
    GrowingPause pause = new GrowingPause();
    List<Long> pauses = new ArrayList<>();
    long nowMs = 7;
    for (int i = 0; i < 7; i++) {
      pauses.add(pause.next(nowMs));
      nowMs += 120_000;
    }
    assertEquals(List.of(500L, 1_000L, 2_000L, 4_000L, 8_000L, 8_000L, 8_000L), pauses);
    assertEquals(500, pause.next(nowMs - 120_000 + GrowingPause.CALM_MS), "all was well between");
    assertEquals(1_000, pause.next(nowMs + GrowingPause.CALM_MS));
  }
}
