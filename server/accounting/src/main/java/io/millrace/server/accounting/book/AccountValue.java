package io.millrace.server.accounting.book;

/**
 * Texts of users as values in a line, so that none of them can begin a line or a value of its own.
 */
public final class AccountValue {

  private static final char DELETE = 0x7f;

  private AccountValue() {}

  /**
   * One value. As PBS does it: bare without spaces; otherwise in double quotes, or in single ones
   * when it has double ones itself. Quotes that PBS would leave open are closed.
   */
  public static String of(String text) {
    return plain(text) ? text : safe(visible(text));
  }

  /** The value of an account, which is in quotes always. */
  public static String quoted(String text) {
    return quote(visible(text));
  }

  /** Control characters as PBS shows them, a line end as {@code ^J}; others are left. */
  public static String visible(String text) {
    if (printable(text)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == DELETE) {
        shown.append('^').append((char) (c ^ '@'));
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        // Line ends, too, for some readers; PBS has no form for them.
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown.toString();
  }

  /** Most texts are; looked at once for each. */
  private static boolean printable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= DELETE) {
        return false;
      }
    }
    return true;
  }

  /** And most of them have neither spaces nor quotes. */
  private static boolean plain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= DELETE || c == '"' || c == '\'') {
        return false;
      }
    }
    return true;
  }

  private static String safe(String text) {
    boolean bare =
        text.chars().noneMatch(it -> Character.isWhitespace(it) || Character.isSpaceChar(it))
            && !text.startsWith("\"")
            && !text.startsWith("'")
            && paired(text, '"')
            && paired(text, '\'');
    return bare ? text : quote(text);
  }

  private static boolean paired(String text, char mark) {
    return text.chars().filter(it -> it == mark).count() % 2 == 0;
  }

  private static String quote(String text) {
    if (text.indexOf('"') < 0) {
      return '"' + text + '"';
    }
    // With both kinds there is no quote left that a reader would not take for the end.
    return "'" + text.replace('\'', '`') + "'";
  }
}
