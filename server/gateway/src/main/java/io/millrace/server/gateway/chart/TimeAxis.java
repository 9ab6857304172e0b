package io.millrace.server.gateway.chart;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * A period in columns of equal length.
 *
 * @param fromMs its start, milliseconds since 1970
 * @param toMs its end
 * @param columns how many columns it has
 */
record TimeAxis(long fromMs, long toMs, int columns) {

  /** Columns of a label and the space behind it. */
  private static final int LABEL = 8;

  private static final long DAY_S = Duration.ofDays(1).toSeconds();

  /** Between two labels, in seconds; each divides a day. */
  private static final List<Long> STEPS =
      List.of(60L, 300L, 900L, 1800L, 3600L, 7200L, 10_800L, 21_600L, 43_200L);

  private static final DateTimeFormatter MINUTE = form("HH:mm");
  private static final DateTimeFormatter DAY = form("MMM dd");
  private static final DateTimeFormatter MONTH = form("yyyy-MM");
  private static final int YEAR = 366;

  private static DateTimeFormatter form(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
  }

  /** The column of a time, which lies in the period. */
  int column(long ms) {
    return (int) ((ms - fromMs) * columns / (toMs - fromMs));
  }

  /** The line of times above the columns, each where its time is. */
  String labels(ZoneId zone) {
    long step = step();
    LocalDateTime midnight = time(fromMs, zone).truncatedTo(ChronoUnit.DAYS);
    long days = step / DAY_S;
    // Every so many days are counted from a fixed day: a later look has the same labels.
    LocalDateTime first =
        days == 0 ? midnight : midnight.minusDays(midnight.toLocalDate().toEpochDay() % days);
    StringBuilder line = new StringBuilder();
    for (LocalDateTime at = first; ; at = at.plusSeconds(step)) {
      long ms = at.atZone(zone).toInstant().toEpochMilli();
      if (ms >= toMs) {
        return line.toString();
      }
      int column = ms < fromMs ? -1 : column(ms);
      String label = label(at, days);
      boolean room = column + label.length() <= columns && line.length() <= column;
      if (column >= 0 && room) {
        line.append(" ".repeat(column - line.length())).append(label).append(' ');
      }
    }
  }

  private static LocalDateTime time(long ms, ZoneId zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(ms), zone);
  }

  private static String label(LocalDateTime at, long days) {
    boolean midnight = at.toLocalTime().toSecondOfDay() == 0;
    return (days >= YEAR ? MONTH : midnight ? DAY : MINUTE).format(at);
  }

  /** The shortest one with room for a label. */
  private long step() {
    long least = (toMs - fromMs) / 1000 * LABEL / columns;
    long step = DAY_S;
    while (step < least) {
      step *= 2;
    }
    for (int i = STEPS.size() - 1; i >= 0 && STEPS.get(i) >= least; i--) {
      step = STEPS.get(i);
    }
    return step;
  }
}
