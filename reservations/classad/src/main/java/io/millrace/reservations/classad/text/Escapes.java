package io.millrace.reservations.classad.text;

/** Backslashes in strings. */
final class Escapes {

  private static final String LETTERS = "abfnrtv";
  private static final String MEANINGS = "\u0007\b\f\n\r\t\u000b";

  private Escapes() {}

  /**
   * What a string means. A backslash before any other character stands for that character.
   *
   * @return null when it has the character 0, which no string of the language holds
   */
  static String replaced(CharSequence raw) {
    StringBuilder out = new StringBuilder(raw.length());
    int at = 0;
    while (at < raw.length()) {
      char c = raw.charAt(at++);
      if (c != '\\' || at == raw.length()) {
        out.append(c);
        continue;
      }
      char escaped = raw.charAt(at++);
      int letter = LETTERS.indexOf(escaped);
      if (letter >= 0) {
        out.append(MEANINGS.charAt(letter));
      } else if (isOctal(escaped)) {
        int number = escaped - '0';
        // At most three digits, and no more than a byte holds.
        for (int i = 0; i < 2 && number < 0x20 && at < raw.length(); i++) {
          if (!isOctal(raw.charAt(at))) {
            break;
          }
          number = number * 8 + raw.charAt(at++) - '0';
        }
        if (number == 0) {
          return null;
        }
        out.append((char) number);
      } else {
        out.append(escaped);
      }
    }
    return out.toString();
  }

  private static boolean isOctal(char c) {
    return c >= '0' && c <= '7';
  }

  /** Appends a text as it stands between {@code quote}s. */
  static void append(StringBuilder out, String value, char quote) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      int letter = MEANINGS.indexOf(c);
      if (letter >= 0) {
        out.append('\\').append(LETTERS.charAt(letter));
      } else if (c == quote || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f) {
        out.append(String.format("\\%03o", (int) c));
      } else {
        out.append(c);
      }
    }
  }
}
