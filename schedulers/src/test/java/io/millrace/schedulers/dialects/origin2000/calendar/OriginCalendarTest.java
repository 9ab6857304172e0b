package io.millrace.schedulers.dialects.origin2000.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginCalendarTest {

  private static final String VETERANS = "* number  date  name\n\n315\tNov 11\tVeterans Day\n";

  private static OriginPrimeTime prime(String holidays, String zone) {
    OriginConfig config =
        OriginConfigText.read(
                "config",
                "PRIME_TIME_START 08:00:00\nPRIME_TIME_END 17:00:00\n",
                new OriginPlace("hopper", ZoneId.of(zone)))
            .config();
    OriginHolidays days = OriginHolidays.read("holidays", holidays);
    return new OriginPrimeTime(config, ZoneId.of(zone), days);
  }

  private static long at(String local, String zone) {
    return LocalDateTime.parse(local).atZone(ZoneId.of(zone)).toEpochSecond();
  }

  @Test
  void aHolidayIsItsDateAlsoInLeapYears() {
    OriginHolidays days = OriginHolidays.read("holidays", VETERANS);
    assertTrue(days.contain(LocalDate.of(1999, 11, 11)));
    assertTrue(days.contain(LocalDate.of(2004, 11, 11)));
    assertFalse(days.contain(LocalDate.of(2004, 11, 10)));
    assertTrue(OriginHolidays.read("h", "366 Dec 31 x").contain(LocalDate.of(2000, 12, 31)));
    assertTrue(OriginHolidays.read("h", "45").contain(LocalDate.of(2000, 2, 14)));
    assertFalse(OriginHolidays.read("h", "0 any\nYEAR 1999\n").contain(LocalDate.of(2000, 1, 1)));
  }

  @Test
  void aNumberThatIsNotTheDateIsWarnedOf() {
    OriginHolidays days = OriginHolidays.read("h", "100 Nov 11 x\n");
    assertEquals("[h:1: day 100 is not Nov 11; the day counts]", days.warnings().toString());
    assertTrue(days.contain(LocalDate.of(1999, 4, 10)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1 x", "367", "x", "1.5", "99999999999"})
  void aWrongDayIsRefused(String line) {
    String message =
        assertThrows(ConfigurationRefused.class, () -> OriginHolidays.read("h", "1 a\n" + line))
            .getMessage();
    assertTrue(message.startsWith("h:2: '"), message);
    assertTrue(message.endsWith("is no day of a year: a number from 1 to 366"), message);
  }

  @Test
  void theNextPrimeTimeIsNotOnASundayOrHoliday() {
    OriginPrimeTime prime = prime(VETERANS, "UTC");
    assertEquals(54 * 3600, prime.untilBegin(at("1999-11-13T02:00:00", "UTC")));
    assertEquals(20 * 3600, prime.untilBegin(at("1999-11-14T12:00:00", "UTC")));
    assertEquals(47 * 3600, prime.untilBegin(at("1999-11-10T09:00:00", "UTC")));
  }

  @Test
  void aSpanCountsEachPeriodThatItTouches() {
    OriginPrimeTime prime = prime(VETERANS, "UTC");
    long from = at("1999-11-10T16:00:00", "UTC");
    assertEquals(3600 + 1800, prime.between(from, at("1999-11-12T08:30:00", "UTC"), 99_999));
    assertEquals(0, prime.between(at("1999-11-10T17:00:00", "UTC"), from + 7200, 99_999));
  }

  @Test
  void theClockOnTheWallCountsThroughItsChanges() {
    String zone = "America/Los_Angeles";
    OriginPrimeTime prime = prime("", zone);
    long friday = at("1999-10-29T16:00:00", zone);
    assertEquals(65 * 3600, prime.untilBegin(friday), "a day of 25 hours");
    assertEquals(63 * 3600, prime.untilBegin(at("2000-03-31T16:00:00", zone)), "one of 23");
    OriginPlace place = new OriginPlace("h", ZoneId.of(zone));
    OriginConfig config =
        OriginConfigText.read("c", "ENFORCE_PRIME_TIME 07/01/1999@12:00:00\n", place).config();
    assertEquals(930_855_600, config.number(OriginOption.ENFORCE_PRIME_TIME));
  }
}
