package io.millrace.server.gateway.operand;

/** The letters of holds as users write them: u, o and s. */
public final class HoldLetters {

  private HoldLetters() {}

  /** Whether the text is one or more of the letters, each once. */
  public static boolean valid(String holds) {
    return !holds.isEmpty()
        && holds.chars().allMatch(c -> "uos".indexOf(c) >= 0)
        && holds.chars().distinct().count() == holds.length();
  }
}
