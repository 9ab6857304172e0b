package io.millrace.schemas.pbs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PBS's text of sizes: {@code 4gb}, {@code 2097152b}, {@code 16mw}; a number alone is bytes. */
public final class Sizes {

  public static final long KB = 1024;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,19})([kmgtpKMGTP]?)([bwBW]?)");
  private static final String UNITS = "kmgtp";
  private static final int WORD_BYTES = 8;

  private Sizes() {}

  /** Bytes; empty when the text is no size, or one that no number here can hold. */
  public static Optional<Long> parse(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long factor = 1;
    if (!matcher.group(2).isEmpty()) {
      char unit = Character.toLowerCase(matcher.group(2).charAt(0));
      factor = 1L << (10 * (UNITS.indexOf(unit) + 1));
    }
    if (matcher.group(3).equalsIgnoreCase("w")) {
      factor *= WORD_BYTES;
    }
    try {
      return Optional.of(Math.multiplyExact(Long.parseLong(matcher.group(1)), factor));
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Bytes in the largest unit that divides them. */
  public static String format(long bytes) {
    int unit = 0;
    long number = bytes;
    while (number != 0 && number % 1024 == 0 && unit < UNITS.length()) {
      number /= 1024;
      unit++;
    }
    return number + (unit == 0 ? "b" : UNITS.charAt(unit - 1) + "b");
  }
}
