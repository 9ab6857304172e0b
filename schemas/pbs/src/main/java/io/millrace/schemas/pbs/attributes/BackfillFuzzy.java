package io.millrace.schemas.pbs.attributes;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** PBS's {@code opt_backfill_fuzzy}: a word or a number of seconds. */
public final class BackfillFuzzy {
  private static final Map<String, Long> SECONDS =
      Map.of("off", 0L, "low", 60L, "med", 600L, "medium", 600L, "high", 3_600L);

  private BackfillFuzzy() {}

  /** The seconds; empty for what is neither. */
  public static OptionalLong seconds(String text) {
    if (text.matches("\\d{1,9}")) {
      return OptionalLong.of(Long.parseLong(text));
    }
    Long seconds = SECONDS.get(text.toLowerCase(Locale.ROOT));
    return seconds == null ? OptionalLong.empty() : OptionalLong.of(seconds);
  }
}
