package io.millrace.server.gateway.print;

/**
 * Texts that any user may have written, as others are shown them. PBS writes control characters
 * with a caret, so that nothing in a text steers the terminal of who reads it.
 */
public final class ShownText {
  private static final char DELETE = 0x7f;
  private static final char LAST_CONTROL = 0x9f;

  private ShownText() {}

  /** On one line. */
  public static String line(String text) {
    return shown(text, "");
  }

  /** The same, with line ends and tabs as they are. */
  public static String of(String text) {
    return shown(text, "\n\t");
  }

  private static String shown(String text, String kept) {
    int plain = 0;
    while (plain < text.length() && isShown(text.charAt(plain), kept)) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.substring(0, plain));
    for (int i = plain; i < text.length(); i++) {
      char each = text.charAt(i);
      if (isShown(each, kept)) {
        shown.append(each);
      } else if (each > DELETE) {
        shown.append("M-^").append((char) (each - 0x80 + '@'));
      } else {
        shown.append('^').append((char) (each ^ '@'));
      }
    }
    return shown.toString();
  }

  private static boolean isShown(char each, String kept) {
    return each >= ' ' && each < DELETE || each > LAST_CONTROL || kept.indexOf(each) >= 0;
  }
}
