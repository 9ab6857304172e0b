package io.millrace.server.core.state;

/** Texts of others that go into a record, which has to stay one. */
public final class CutText {

  private CutText() {}

  /** The text, or its first characters and three dots. */
  public static String of(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean half = Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, half ? max - 1 : max) + "...";
  }
}
