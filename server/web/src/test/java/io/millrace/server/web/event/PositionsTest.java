package io.millrace.server.web.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PositionsTest {

  private static Positions of(long... next) {
    Positions positions = new Positions(next.length);
    for (int i = 0; i < next.length; i++) {
      positions.advance(i, next[i]);
    }
    return positions;
  }

  @Test
  void theTextSaysAllOfIt() {
    Random random = new Random(7);
    for (int round = 0; round < 1000; round++) {
      long[] next = new long[1 + random.nextInt(24)];
      for (int i = 0; i < next.length; i++) {
        next[i] = random.nextLong() >>> 1 + random.nextInt(63);
      }
      Positions positions = of(next);
      Positions again = Positions.parse(positions.text(), next.length).orElseThrow();
      for (int i = 0; i < next.length; i++) {
        assertEquals(next[i], again.next(i));
      }
      assertEquals(Optional.empty(), Positions.parse(positions.text(), next.length + 1));
      assertEquals(positions.text(), again.text());
    }
  }

  @Test
  void whatIsNoTextOfPositionsIsNone() {
    Random random = new Random(8);
    for (int round = 0; round < 10_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < random.nextInt(40); i++) {
        text.append((char) (' ' + random.nextInt(95)));
      }
      Optional<Positions> parsed = Positions.parse(text.toString(), 3);
      parsed.ifPresent(it -> assertEquals(3, it.partitions()));
    }
    assertEquals(Optional.empty(), Positions.parse("gICAgICAgICAgICA", 1));
    assertEquals(Optional.empty(), Positions.parse("", 1));
  }

  @Test
  void onePassedWhatTheOtherPassed() {
    assertTrue(of(3, 4).reaches(of(3, 4)));
    assertTrue(of(3, 5).reaches(of(3, 4)));
    assertFalse(of(4, 3).reaches(of(3, 4)));
  }
}
