package io.millrace.reservations.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservedTimeTest {

  private static final long NOW = 1_000_500;

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1060000,1120000,-,1060000,1120000",
        "1060000,-,60000,1060000,1120000",
        "-,1120000,60000,1060000,1120000",
        "1060000,1120000,60000,1060000,1120000",
        "1000000,-,60000,1000000,1060000"
      })
  void windows(Long start, Long end, Long duration, long from, long to) {
    assertEquals(
        Optional.of(new ReservedTime(from, to)), ReservedTime.of(start, end, duration, NOW));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,-",
        "1060000,-,-",
        "-,1120000,-",
        "-,-,60000",
        "1060000,1060000,-",
        "1120000,1060000,-",
        "1060000,1120000,60001",
        "999000,-,60000",
        "999000,1120000,-",
        "-,1060000,61000",
        "1060000,-,0",
        "1060000,-,-1",
        "1060000,-,9223372036854775807"
      })
  void nothing(Long start, Long end, Long duration) {
    assertEquals(Optional.empty(), ReservedTime.of(start, end, duration, NOW));
  }

  @Test
  void aDurationOf136YearsIsFine() {
    long years = 136L * 365 * 86_400_000;
    assertEquals(years, ReservedTime.of(1_060_000L, null, years, NOW).orElseThrow().durationMs());
  }

  @Test
  void anEndBeforeTheStartIsNoWindow() {
    assertThrows(IllegalArgumentException.class, () -> new ReservedTime(2, 2));
  }
}
