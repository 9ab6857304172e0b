package io.millrace.server.gateway.print;

/** Sizes as texts: a number and b, kb, mb, gb, tb or pb. */
final class SizeText {
  private static final String LETTERS = "bkmgtp";

  private SizeText() {}

  /** Whether the text is a size and not a plain number. */
  static boolean is(String text) {
    return text.matches("\\d+([kmgtp]?b)");
  }

  /** The number at the beginning; 0 when there is none. */
  static long leading(String text) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 || end > 18 ? 0 : Long.parseLong(text.substring(0, end));
  }

  /** Which power of 1024 the unit is; 0 for none. */
  static int power(String text) {
    return is(text) ? Math.max(0, LETTERS.indexOf(text.charAt(text.length() - 2))) : 0;
  }

  static long kilobytes(String text) {
    int power = power(text);
    return power == 0 ? leading(text) >> 10 : leading(text) << (10 * (power - 1));
  }

  /** In the largest unit in which it has at most three digits, rounded as PBS rounds. */
  static String shortened(long amount, int power) {
    long shown = amount;
    int unit = power;
    while (shown > 999) {
      shown = (shown % 1024 + shown) >> 10;
      unit++;
    }
    char letter = unit == 0 ? ' ' : unit < LETTERS.length() ? LETTERS.charAt(unit) : '?';
    return shown + String.valueOf(letter) + "b";
  }
}
