package io.millrace.connectors.bridge.tail;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a file was read.
 *
 * @param file identity of the file, which stays when it is renamed
 * @param offset bytes that were read
 * @param mark check sum of the last bytes before the offset, which tells another text of the same
 *     file
 */
public record TailPosition(String file, long offset, String mark) {

  private static final Pattern FORM = Pattern.compile("([0-9]+)@([0-9]{1,18})#([0-9a-f]{1,8})");

  /** Reads what {@link #toString} has written; empty for anything else. */
  public static Optional<TailPosition> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new TailPosition(form.group(1), Long.parseLong(form.group(2)), form.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return file + "@" + offset + "#" + mark;
  }
}
