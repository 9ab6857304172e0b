package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the keeper waits. */
class RestartsTest {

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration SHORT = Duration.ofSeconds(2);

  @Test
  void afterALifeOfSomeLengthItDoesNotWait() {
    Restarts restarts = new Restarts();
    for (int i = 0; i < 20; i++) {
      assertEquals(Duration.ZERO, restarts.after(LONG));
    }
  }

  @Test
  void shortLivesMakeItWaitLongerAndLonger() {
    Restarts restarts = new Restarts();
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      waits.add(restarts.after(SHORT).toSeconds());
    }
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L), waits);
    assertEquals(9, restarts.shortLives());
    assertEquals(Duration.ZERO, restarts.after(LONG));
    assertEquals(0, restarts.shortLives());
    assertEquals(Duration.ofSeconds(1), restarts.after(SHORT));
  }

  @Test
  void aClockThatWentBackMakesALifeShort() {
    assertEquals(Duration.ofSeconds(1), new Restarts().after(Duration.ofHours(-1)));
  }
}
