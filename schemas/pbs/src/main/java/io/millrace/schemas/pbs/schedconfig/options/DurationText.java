package io.millrace.schemas.pbs.schedconfig.options;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as sched_config writes them. */
final class DurationText {

  private static final Pattern PARTS =
      Pattern.compile("(?:(?<h>\\d{1,12}):)?(?<m>\\d{1,12}):(?<s>\\d{1,12})|(?<all>\\d{1,15})");

  private DurationText() {}

  /** True for a time with a colon, which is how the file wants it. */
  static boolean proper(String text) {
    return text.indexOf(':') >= 0 && seconds(text).isPresent();
  }

  /** Seconds of HH:MM:SS, MM:SS or seconds alone; empty for anything else. */
  static OptionalLong seconds(String text) {
    Matcher matcher = PARTS.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    if (matcher.group("all") != null) {
      return OptionalLong.of(Long.parseLong(matcher.group("all")));
    }
    long hours = matcher.group("h") == null ? 0 : Long.parseLong(matcher.group("h"));
    long minutes = Long.parseLong(matcher.group("m"));
    return OptionalLong.of(hours * 3600 + minutes * 60 + Long.parseLong(matcher.group("s")));
  }

  /** HH:MM:SS. */
  static String of(long seconds) {
    return String.format("%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
