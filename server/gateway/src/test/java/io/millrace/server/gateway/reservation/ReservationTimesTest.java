package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReservationTimesTest {
  private static final ZoneId UTC = ZoneId.of("UTC");

  /** A Thursday. */
  private static final long NOW = Instant.parse("2026-03-05T12:00:00Z").toEpochMilli();

  private static String text(String time) {
    return ReservationTimes.text(Instant.parse(time).toEpochMilli(), NOW, UTC);
  }

  @Test
  void theNearerTheShorter() {
    assertEquals("Today 00:05", text("2026-03-05T00:05:59Z"));
    assertEquals("Sun 23:59", text("2026-03-01T23:59:00Z"));
    assertEquals("Sat 09:30", text("2026-03-07T09:30:00Z"));
    assertEquals("Sun Mar 08 00:00", text("2026-03-08T00:00:00Z"));
    assertEquals("Sat Feb 28 10:00", text("2026-02-28T10:00:00Z"));
    assertEquals("Jan 01 2027 00:00", text("2027-01-01T00:00:00Z"));
  }

  @Test
  void daysAndMonthsAreNamedAsAFormatterDoes() {
    Random random = new Random(5);
    DateTimeFormatter year = DateTimeFormatter.ofPattern("EEE MMM dd HH:mm", Locale.ENGLISH);
    DateTimeFormatter other = DateTimeFormatter.ofPattern("MMM dd yyyy HH:mm", Locale.ENGLISH);
    for (String name : List.of("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns")) {
      ZoneId zone = ZoneId.of(name);
      for (int i = 0; i < 2_000; i++) {
        ZonedDateTime then =
            ZonedDateTime.of(1971 + random.nextInt(8_000), 1, 1, 0, 0, 0, 0, zone)
                .plusMinutes(random.nextInt(365 * 24 * 60));
        long ms = then.toInstant().toEpochMilli();
        long farMs = then.plusYears(2).toInstant().toEpochMilli();
        assertEquals(other.format(then), ReservationTimes.text(ms, farMs, zone));
        ZonedDateTime apart = then.withDayOfYear(then.getDayOfYear() > 180 ? 1 : 300);
        long apartMs = apart.toInstant().toEpochMilli();
        assertEquals(year.format(then), ReservationTimes.text(ms, apartMs, zone));
      }
    }
  }
}
