package io.millrace.server.core.state;

import java.util.regex.Pattern;

/** Texts of others that go into a record, which has to stay one. */
public final class CutText {

  private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

  private CutText() {}

  /** The text, or its first characters and three dots. */
  public static String of(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean half = Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, half ? max - 1 : max) + "...";
  }

  /** The same with a blank for each control character: they could steer a reader's terminal. */
  public static String line(String text, int max) {
    return of(CONTROL.matcher(text).replaceAll(" "), max);
  }
}
