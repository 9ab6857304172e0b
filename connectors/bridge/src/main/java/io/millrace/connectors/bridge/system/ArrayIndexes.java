package io.millrace.connectors.bridge.system;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Indexes of tasks as outside systems write them: numbers and ranges with commas between, a range
 * with its step behind a colon. Slurm puts a limit behind a percent sign, and cuts long lists.
 */
final class ArrayIndexes {
  private static final Pattern RANGE =
      Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?(?::([0-9]{1,9}))?");

  private ArrayIndexes() {}

  /** Whether an index is among them; of what cannot be understood each may be. */
  static boolean cover(String text, long index) {
    for (String range : text.split("%")[0].split(",")) {
      Matcher parts = RANGE.matcher(range.strip());
      if (!parts.matches()) {
        return true;
      }
      long first = Long.parseLong(parts.group(1));
      long last = parts.group(2) == null ? first : Long.parseLong(parts.group(2));
      long step = parts.group(3) == null ? 1 : Math.max(1, Long.parseLong(parts.group(3)));
      if (index >= first && index <= last && (index - first) % step == 0) {
        return true;
      }
    }
    return false;
  }
}
