package io.millrace.schemas.pbs.origin;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * One dedicated time.
 *
 * @param name of the host or system, in its short form
 * @param begin seconds since 1970
 * @param end seconds since 1970, after the begin
 */
public record Outage(String name, long begin, long end) {

  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm", Locale.ROOT);

  /** Whether the host is taken from normal jobs; at the end it is free again. */
  public boolean covers(long time) {
    return begin <= time && time < end;
  }

  /** A moment of it as the texts on jobs have it. */
  public static String written(long time, ZoneId zone) {
    return Instant.ofEpochSecond(time).atZone(zone).format(WRITTEN);
  }
}
