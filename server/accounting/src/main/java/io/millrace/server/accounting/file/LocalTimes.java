package io.millrace.server.accounting.file;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Times as text, made once a second: facts that follow on each other share theirs. */
public final class LocalTimes {

  private final DateTimeFormatter format;
  private final ZoneId zone;
  private long second = Long.MIN_VALUE;
  private String text;

  /**
   * @param format of nothing below seconds
   */
  public LocalTimes(DateTimeFormatter format, ZoneId zone) {
    this.format = format;
    this.zone = zone;
  }

  public String at(long ms) {
    long now = Math.floorDiv(ms, 1000L);
    if (now != second) {
      second = now;
      text = format.format(Instant.ofEpochSecond(now).atZone(zone));
    }
    return text;
  }
}
