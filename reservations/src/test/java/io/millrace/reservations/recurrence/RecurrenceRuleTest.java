package io.millrace.reservations.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecurrenceRuleTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final long MINUTES = 60_000;

  private static long at(String local) {
    return LocalDateTime.parse(local).atZone(BERLIN).toInstant().toEpochMilli();
  }

  /** The starts in UTC, as {@code 2026-11-20T15:01Z}. */
  private static String starts(String rule, String first, long durationMs) throws Exception {
    List<Long> starts = RecurrenceRule.parse(rule).starts(at(first), durationMs, BERLIN);
    return String.join(
        " ", starts.stream().map(ms -> java.time.Instant.ofEpochMilli(ms).toString()).toList());
  }

  private static RecurrenceFault fault(String rule, String first, Duration duration) {
    return assertThrows(
            RecurrenceException.class,
            () -> RecurrenceRule.parse(rule).starts(at(first), duration.toMillis(), BERLIN))
        .fault();
  }

  @Test
  void theRecordedRuleFallsThreeTimes() throws Exception {
    assertEquals(
        "2026-11-20T15:01:00Z 2026-11-20T16:01:00Z 2026-11-20T17:01:00Z",
        starts("FREQ=HOURLY;COUNT=3", "2026-11-20T16:01", 10 * MINUTES));
  }

  @Test
  void aRuleKeepsTheLocalTimeOverAChangeOfClocks() throws Exception {
    assertEquals(
        "2026-10-24T10:00:00Z 2026-10-25T11:00:00Z 2026-10-26T11:00:00Z",
        starts("FREQ=DAILY;COUNT=3", "2026-10-24T12:00", 10 * MINUTES));
  }

  /** On 28 March 2027 there is no half past two: it is half past three, summer time. */
  @Test
  void aLocalTimeThatDoesNotExistComesLaterByTheGap() throws Exception {
    assertEquals(
        "2027-03-27T01:30:00Z 2027-03-28T01:30:00Z 2027-03-29T00:30:00Z",
        starts("FREQ=DAILY;COUNT=3", "2027-03-27T02:30", 10 * MINUTES));
  }

  /** On 25 October 2026 half past two comes twice. */
  @Test
  void aLocalTimeThatComesTwiceIsTheFirst() throws Exception {
    assertEquals(
        "2026-10-24T00:30:00Z 2026-10-25T00:30:00Z 2026-10-26T01:30:00Z",
        starts("FREQ=DAILY;COUNT=3", "2026-10-24T02:30", 10 * MINUTES));
  }

  @Test
  void occurrencesThatFallTogetherAreOne() throws Exception {
    assertEquals(
        "2027-03-28T00:30:00Z 2027-03-28T01:30:00Z 2027-03-28T02:30:00Z",
        starts("FREQ=HOURLY;COUNT=4", "2027-03-28T01:30", 10 * MINUTES));
  }

  @Test
  void aFirstStartInTheSecondOfTwoEqualHoursIsKept() throws Exception {
    long second = java.time.Instant.parse("2026-10-25T01:30:00Z").toEpochMilli();
    List<Long> starts = RecurrenceRule.parse("FREQ=DAILY;COUNT=2").starts(second, MINUTES, BERLIN);
    assertEquals(second, starts.get(0));
  }

  @Test
  void theEndIsAMomentALocalTimeOrADay() throws Exception {
    String three = "2026-11-20T15:01:00Z 2026-11-21T15:01:00Z 2026-11-22T15:01:00Z";
    assertEquals(three, starts("FREQ=DAILY;UNTIL=20261122T150100Z", "2026-11-20T16:01", MINUTES));
    assertEquals(three, starts("FREQ=DAILY;UNTIL=20261122T160100", "2026-11-20T16:01", MINUTES));
    assertEquals(three, starts("FREQ=DAILY;UNTIL=20261122", "2026-11-20T16:01", MINUTES));
    assertEquals(
        "2026-11-20T15:01:00Z 2026-11-21T15:01:00Z",
        starts("FREQ=DAILY;UNTIL=20261122T150059Z", "2026-11-20T16:01", MINUTES));
  }

  @Test
  void daysOfTheWeekAndTheLastOfTheMonth() throws Exception {
    assertEquals(
        "2026-11-23T15:00:00Z 2026-11-25T15:00:00Z 2026-11-30T15:00:00Z",
        starts("FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", "2026-11-20T16:00", MINUTES));
    assertEquals(
        "2026-11-27T15:00:00Z 2026-12-25T15:00:00Z",
        starts("FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", "2026-11-20T16:00", MINUTES));
  }

  @ParameterizedTest
  @CsvSource({
    "FREQ=BOGUS,SYNTAX",
    "FREQ=DAILY;COUNT=0,SYNTAX",
    "FREQ=DAILY;COUNT=-1,SYNTAX",
    "FREQ=DAILY;COUNT=99999999999,SYNTAX",
    "FREQ=DAILY;COUNT=3;COLOUR=1,SYNTAX",
    "COUNT=3,SYNTAX",
    "COUNT=3;BYDAY=MO,SYNTAX",
    "FREQ=DAILY;UNTIL=20261301T000000Z,SYNTAX",
    "FREQ=DAILY;UNTIL=20260231,SYNTAX",
    "'',SYNTAX",
    "FREQ=DAILY;INTERVAL=0;COUNT=3,SYNTAX",
    "FREQ=DAILY;INTERVAL=2147483647;COUNT=3,SYNTAX",
    "FREQ=SECONDLY;INTERVAL=2147483647;COUNT=3,SYNTAX",
    "'FREQ=DAILY;COUNT=3;BYHOUR=3,4;BYSETPOS=366',NEVER",
    "FREQ=DAILY,UNBOUNDED",
    "FREQ=DAILY;COUNT=3;UNTIL=20261201T000000Z,UNBOUNDED",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2,NEVER",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1,NEVER",
    "FREQ=DAILY;UNTIL=20260101T000000Z,NEVER",
    "FREQ=DAILY;COUNT=2001,TOO_OFTEN",
    "FREQ=DAILY;UNTIL=99991231T000000Z,TOO_OFTEN",
    "FREQ=SECONDLY;COUNT=2000000000,TOO_OFTEN",
  })
  void wrongRules(String rule, RecurrenceFault fault) {
    assertEquals(fault, fault(rule, "2026-11-20T16:01", Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "FREQ=SECONDLY;INTERVAL=9;COUNT=2,PT2S,SECONDLY",
    "FREQ=MINUTELY;COUNT=2,PT61S,MINUTELY",
    "FREQ=HOURLY;COUNT=2,PT3601S,HOURLY",
    "FREQ=DAILY;COUNT=2,PT86401S,DAILY",
    "FREQ=WEEKLY;COUNT=2,P8D,WEEKLY",
    "FREQ=MONTHLY;COUNT=2,P31D,MONTHLY",
    "FREQ=YEARLY;COUNT=2,P366D,YEARLY",
    "'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=2',PT25H,OVERLAP",
  })
  void occurrencesThatAreTooLong(String rule, String duration, RecurrenceFault fault) {
    assertEquals(fault, fault(rule, "2026-11-20T16:01", Duration.parse(duration)));
  }

  @Test
  void oneThatIsAsLongAsItsPeriodFits() throws Exception {
    long day = Duration.ofDays(1).toMillis();
    assertEquals(
        2,
        RecurrenceRule.parse("FREQ=DAILY;COUNT=2")
            .starts(at("2026-11-20T16:01"), day, BERLIN)
            .size());
  }

  @Test
  void aZoneIsKnownOrRefused() throws Exception {
    assertEquals(BERLIN, RecurrenceRule.zone("Europe/Berlin"));
    for (String wrong : List.of("", "Europe/Atlantis", "../../etc/passwd", " ")) {
      assertEquals(
          RecurrenceFault.ZONE,
          assertThrows(RecurrenceException.class, () -> RecurrenceRule.zone(wrong)).fault());
    }
  }

  @Test
  void theOrderOfFrequenciesIsThatOfTheLibrary() throws Exception {
    // Longer steps are allowed of rules that count hours and less.
    assertEquals(
        2,
        RecurrenceRule.parse("FREQ=SECONDLY;INTERVAL=86400;COUNT=2")
            .starts(0, 1000, BERLIN)
            .size());
    assertEquals(
        RecurrenceFault.SYNTAX,
        fault("FREQ=DAILY;INTERVAL=86400;COUNT=2", "2026-11-20T16:01", Duration.ofSeconds(1)));
  }

  /** Whatever the text, it is a rule with rising starts or refused by name, and soon. */
  @Test
  @Timeout(60)
  void randomTextsAreRulesOrRefused() {
    Random random = new Random(Long.getLong("millrace.day", 20261120L));
    String[] parts = {
      "FREQ=DAILY",
      "FREQ=SECONDLY",
      "FREQ=YEARLY",
      "COUNT=5",
      "COUNT=20000",
      "UNTIL=20301231",
      "BYDAY=MO,-1FR",
      "BYMONTH=2",
      "BYMONTHDAY=-1",
      "BYHOUR=3,4",
      "BYSETPOS=-1",
      "INTERVAL=7",
      "WKST=SU",
      "BYYEARDAY=366",
      "BYWEEKNO=53",
      "BYMINUTE=0",
      "=",
      ";",
      "BYDAY",
      "COUNT=1e9",
      "UNTIL=20261301T000000Z",
      "INTERVAL=2147483647",
      "INTERVAL=4000",
      "RSCALE=GREGORIAN",
      "SKIP=BACKWARD"
    };
    int rules = 0;
    for (int i = 0; i < 6000; i++) {
      StringBuilder text = new StringBuilder();
      for (int part = random.nextInt(5); part >= 0; part--) {
        text.append(parts[random.nextInt(parts.length)]).append(part > 0 ? ";" : "");
      }
      try {
        List<Long> starts =
            RecurrenceRule.parse(text.toString()).starts(at("2026-11-20T16:01"), 1000, BERLIN);
        for (int k = 1; k < starts.size(); k++) {
          assertTrue(starts.get(k) > starts.get(k - 1), text.toString());
        }
        rules++;
      } catch (RecurrenceException e) {
        assertTrue(e.fault() != null);
      }
    }
    assertTrue(rules > 20, "some are rules: " + rules);
  }
}
