package io.millrace.schemas.pbs.attributes;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When it is night, each day: {@code HH:MM-HH:MM}, which may go over midnight.
 *
 * @param from when it begins
 * @param to when it ends, another time than that
 */
public record NightWindow(LocalTime from, LocalTime to) {
  private static final Pattern TEXT =
      Pattern.compile("([01]?\\d|2[0-3]):([0-5]\\d)\\s*-\\s*([01]?\\d|2[0-3]):([0-5]\\d)");

  /** The window of a text; empty when it is none. */
  public static Optional<NightWindow> parse(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    NightWindow window =
        new NightWindow(time(parts.group(1), parts.group(2)), time(parts.group(3), parts.group(4)));
    return window.from.equals(window.to) ? Optional.empty() : Optional.of(window);
  }

  private static LocalTime time(String hour, String minute) {
    return LocalTime.of(Integer.parseInt(hour), Integer.parseInt(minute));
  }

  /** How long a night is by the clock. */
  public long seconds() {
    long between = Duration.between(from, to).toSeconds();
    return between > 0 ? between : Duration.ofDays(1).toSeconds() + between;
  }

  /** When the night ends that is at a time; empty when it is day. */
  public Optional<ZonedDateTime> until(ZonedDateTime now) {
    LocalTime at = now.toLocalTime();
    boolean over = from.isAfter(to);
    boolean late = !at.isBefore(from);
    boolean early = at.isBefore(to);
    if (over ? !late && !early : !late || !early) {
      return Optional.empty();
    }
    ZonedDateTime end = now.with(to);
    return Optional.of(over && late ? end.plusDays(1) : end);
  }

  /** In normal form. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%02d:%02d-%02d:%02d",
        from.getHour(),
        from.getMinute(),
        to.getHour(),
        to.getMinute());
  }
}
