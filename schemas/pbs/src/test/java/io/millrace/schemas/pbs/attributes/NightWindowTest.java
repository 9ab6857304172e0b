package io.millrace.schemas.pbs.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NightWindowTest {

  private static final ZoneId ZONE = ZoneId.of("Europe/Paris");

  private static ZonedDateTime at(String time) {
    return LocalDateTime.parse(time).atZone(ZONE);
  }

  @ParameterizedTest
  @CsvSource({
    "20:00-06:00,2026-11-28T19:59:59,",
    "20:00-06:00,2026-11-28T20:00:00,2026-11-29T06:00",
    "20:00-06:00,2026-11-29T05:59:59,2026-11-29T06:00",
    "20:00-06:00,2026-11-29T06:00:00,",
    "01:00-04:30,2026-11-29T00:59:00,",
    "01:00-04:30,2026-11-29T01:00:00,2026-11-29T04:30",
    "01:00-04:30,2026-11-29T04:30:00,",
    "00:00-23:59,2026-11-29T23:58:59,2026-11-29T23:59",
    // The clocks go back in this night, which is an hour longer, and forward in that one.
    "20:00-06:00,2026-10-24T22:00:00,2026-10-25T06:00",
    "20:00-06:00,2026-03-28T22:00:00,2026-03-29T06:00",
  })
  void theNightIsUntilItsNextEnd(String window, String now, String until) {
    assertEquals(
        Optional.ofNullable(until).map(NightWindowTest::at),
        NightWindow.parse(window).orElseThrow().until(at(now)));
  }

  @Test
  void aWindowHasANormalForm() {
    assertEquals(Optional.of("08:05-17:00"), AttributeType.NIGHT.normalise(" 8:05 - 17:00 "));
    assertEquals(8 * 3_600 + 55 * 60, NightWindow.parse("8:05-17:00").orElseThrow().seconds());
    assertEquals(10 * 3_600, NightWindow.parse("20:00-06:00").orElseThrow().seconds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20", "20:00", "20:00-", "24:00-06:00", "20:60-06:00", "6:00-6:00"})
  void whatIsNoWindowIsNone(String text) {
    assertTrue(AttributeType.NIGHT.normalise(text).isEmpty());
  }
}
