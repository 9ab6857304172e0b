package io.millrace.reservations.classad.evaluation;

/** Orders of strings: without the case of letters, and as versions. */
public final class NaturalOrder {

  private NaturalOrder() {}

  /** Letters of ASCII compare without case; others as they are. */
  public static int withoutCase(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      int difference = lower(one.charAt(i)) - lower(other.charAt(i));
      if (difference != 0) {
        return difference;
      }
    }
    return one.length() - other.length();
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }

  private static char at(String text, int place) {
    return place < text.length() ? text.charAt(place) : 0;
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Compares versions: by the first character that differs, but when it belongs to a number in
   * both, by that number; a number with more leading zeros comes first.
   */
  public static int versions(String one, String other) {
    int differs = 0;
    while (at(one, differs) == at(other, differs)) {
      if (at(one, differs) == 0) {
        return 0;
      }
      differs++;
    }
    int plain = at(one, differs) - at(other, differs);
    int from = differs;
    while (from > 0 && digit(one.charAt(from - 1))) {
      from--;
    }
    if (from == differs && !(digit(at(one, differs)) && digit(at(other, differs)))) {
      return plain;
    }
    int zeros = zeros(one, from);
    int otherZeros = zeros(other, from);
    if (zeros != otherZeros) {
      return otherZeros - zeros;
    }
    if (zeros > 0) {
      return plain;
    }
    int digits = digits(one, from) - digits(other, from);
    return digits != 0 ? digits : plain;
  }

  /** Leading zeros; the last digit of a number is none. */
  private static int zeros(String text, int from) {
    int place = from;
    while (at(text, place) == '0') {
      place++;
    }
    return (place > from && !digit(at(text, place)) ? place - 1 : place) - from;
  }

  private static int digits(String text, int from) {
    int place = from;
    while (digit(at(text, place))) {
      place++;
    }
    return place - from;
  }
}
