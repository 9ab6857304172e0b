package io.millrace.ops.origin2000;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount of memory as PBS writes it: a number with b, kb, mb, gb, tb, or with w for words. */
final class CaseMemory {

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})([kmgt]?)([bw]?)");
  private static final int WORD = 8;
  private static final int SHIFT = 10;

  private CaseMemory() {}

  static OptionalLong bytes(String text) {
    Matcher parts = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    long unit = 1L << SHIFT * (" kmgt".indexOf(parts.group(2).isEmpty() ? " " : parts.group(2)));
    long bytes = Long.parseLong(parts.group(1)) * unit;
    return OptionalLong.of(parts.group(3).equals("w") ? bytes * WORD : bytes);
  }
}
