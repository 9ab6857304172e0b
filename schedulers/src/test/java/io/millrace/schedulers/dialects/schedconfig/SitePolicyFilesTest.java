package io.millrace.schedulers.dialects.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.schedconfig.calendar.DedicatedReader;
import io.millrace.schemas.pbs.schedconfig.calendar.HolidaysReader;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimePeriods;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.pbs.schedconfig.share.ResourceGroup;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files beside a sched_config: hours, holidays, dedicated times, shares. */
class SitePolicyFilesTest {

  private static final ZoneId UTC = ZoneId.of("UTC");

  private static PrimeHours hours(String... lines) {
    return HolidaysReader.read("holidays", String.join("\n", lines)).hours();
  }

  private static ZonedDateTime at(String text) {
    return ZonedDateTime.parse(text + ":00Z");
  }

  /** 2026-11-24 is a Tuesday. */
  @ParameterizedTest
  @CsvSource({
    "0600 1730,2026-11-24T05:59,false",
    "0600 1730,2026-11-24T06:00,true",
    "0600 1730,2026-11-24T17:29,true",
    "0600 1730,2026-11-24T17:30,false",
    "1730 0600,2026-11-24T05:59,true",
    "1730 0600,2026-11-24T06:00,false",
    "1730 0600,2026-11-24T17:30,true",
    "all none,2026-11-24T12:00,true",
    "none all,2026-11-24T12:00,false",
    "all all,2026-11-24T12:00,true",
    "none none,2026-11-24T12:00,true",
    "0100 0100,2026-11-24T12:00,false",
    "0000 0000,2026-11-24T12:00,true"
  })
  void primeTimeByTheHours(String times, String moment, boolean prime) {
    assertEquals(prime, hours("YEAR 2026", "weekday " + times).isPrime(at(moment)));
  }

  @Test
  void withoutAYearOrALineOfTheDayAllTimeIsPrime() {
    assertTrue(hours("weekday none all").isPrime(at("2026-11-24T12:00")));
    assertTrue(hours("YEAR 2026", "saturday none all").isPrime(at("2026-11-24T12:00")));
  }

  @Test
  void aHolidayIsNotPrimeAllDay() {
    PrimeHours hours = hours("YEAR 2026", "weekday all none", "328 Nov 24");
    assertFalse(hours.isPrime(at("2026-11-24T12:00")));
    assertTrue(hours.isPrime(at("2026-11-25T00:00")));
    assertEquals(
        at("2026-11-25T00:00").toInstant().toEpochMilli(),
        new PrimePeriods(hours, UTC).endMs(at("2026-11-24T12:00").toInstant().toEpochMilli()));
  }

  @Test
  void aPeriodThatLastsForMoreThanAWeekDoesNotEnd() {
    assertEquals(
        Long.MAX_VALUE, new PrimePeriods(hours("YEAR 2026", "weekday all none"), UTC).endMs(0));
  }

  /** In Berlin 2026-03-29 has 23 hours, and 2026-10-25 has 25. */
  @ParameterizedTest
  @CsvSource({"2026-03-29,5", "2026-10-25,7"})
  void dayOfChangedClocks(String day, long hoursAhead) {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    ZonedDateTime midnight = ZonedDateTime.of(LocalDate.parse(day), LocalTime.MIDNIGHT, berlin);
    long endMs =
        new PrimePeriods(hours("YEAR 2026", "sunday 0600 1730"), berlin)
            .endMs(midnight.toInstant().toEpochMilli());
    assertEquals(midnight.toInstant().plusSeconds(hoursAhead * 3600), Instant.ofEpochMilli(endMs));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "YEAR | YEAR has no number behind it",
        "YEAR abc | 'abc' is no year",
        "weekday 0600 | weekday needs a second time",
        "monday 6am 1730 | '6am' is no time",
        "monday 0700 2575 | '2575' is no time",
        "funday 0600 1730 | 'funday' is neither a weekday nor the number of a day of the year"
            + " (nearest: sunday)",
        "400 nothing | a year has no day 400",
        "-5 nothing | neither a weekday nor the number",
        "saturday none all extra | 'extra' stands behind the times"
      })
  void wrongHolidays(String line, String said) {
    List<PolicyFinding> findings = HolidaysReader.read("holidays", line).findings();
    assertEquals(1, findings.size());
    assertTrue(findings.get(0).text().contains(said), findings.get(0).text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "11/24/2026 08:00 | is not MM/DD/YYYY HH:MM MM/DD/YYYY HH:MM",
        "2/30/2026 08:00 3/3/2026 08:00 | there is no such date or time",
        "11/24/2026 25:61 11/25/2026 26:00 | there is no such date or time",
        "11/24/26 08:00 11/24/26 09:00 | four digits",
        "11/24/2026 09:00 11/24/2026 08:00 | ends at 2026-11-24T08:00 before it begins"
      })
  void wrongDedicatedTimes(String line, String said) {
    List<PolicyFinding> findings = DedicatedReader.read("dedicated_time", line).findings();
    assertEquals(1, findings.size(), findings.toString());
    assertTrue(findings.get(0).text().contains(said), findings.get(0).text());
  }

  @Test
  void dedicatedTimesInTheirOrder() {
    var times =
        DedicatedReader.read(
                "f", "12/24/2026 00:00 12/25/2026 00:00\n# none\n11/24/2026 08:00 11/24/2026 09:00")
            .times();
    assertEquals("2026-11-24T08:00", times.spans().get(0).from().toString());
    assertEquals(2, times.spans().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a 1 root | too few words",
        "a 1 nowhere 5 | there is no 'nowhere' above",
        "a 1 a 5 | 'a' cannot be its own parent",
        "a x root 5 | must be whole numbers",
        "a 1 root many | must be whole numbers",
        "a 1 root -1 | 'a' has -1 shares",
        "a 1 root 5 more | 'more' stands behind the shares",
        "unknown 1 root 5 | the name 'unknown' may not be used",
        "TREEROOT 1 root 5 | the name 'TREEROOT' may not be used"
      })
  void wrongShares(String line, String said) {
    List<PolicyFinding> findings = ResourceGroup.read("resource_group", line).findings();
    assertEquals(1, findings.size(), findings.toString());
    assertTrue(findings.get(0).text().contains(said), findings.get(0).text());
  }

  @Test
  void aSecondLineOfANameIsRefused() {
    List<PolicyFinding> findings =
        ResourceGroup.read("resource_group", "a 1 root 5\na 2 root 6").findings();
    assertTrue(findings.get(0).text().contains("resource_group:2: 'a' stands here a second time"));
  }
}
