package io.millrace.connectors.bridge.command;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What sudo, the program that it starts, and a container engine say when they do not begin the
 * command.
 */
public final class SudoWords {

  private static final String OWN = "sudo: ";

  private static final String STARTER = "millrace-outside: refused: ";

  private static final String SORRY = "Sorry, user ";

  private static final Pattern REFUSAL =
      Pattern.compile(
          "Sorry, user .* (is not allowed to execute|may not run sudo) .*|sudo: .*(a password is"
              + " required|a terminal is required|not allowed to (execute|run)|unknown user|no"
              + " tty|must have a tty|: command not found).*");

  private static final Pattern NOT_TAKEN =
      Pattern.compile(STARTER + "\\S+ does not take '.*' here");

  private static final Pattern NO_ACCOUNT =
      Pattern.compile("(Error: )?unable to find user \\S+: no matching entries in passwd file");

  private SudoWords() {}

  /**
   * Whether one of them has refused, so that nothing of the command was carried out. A warning of
   * its own, as of a host that it cannot resolve, says nothing: the command goes on behind it. Nor
   * does a refusal among the words of others.
   */
  public static boolean refused(OutsideAnswer answer) {
    if (!answer.isWhole() || answer.status() == 0 || !answer.out().isEmpty()) {
      return false;
    }
    List<String> lines = answer.err().lines().filter(it -> !it.isBlank()).toList();
    return lines.stream().allMatch(SudoWords::isOwn)
        && lines.stream().anyMatch(SudoWords::isRefusal);
  }

  /**
   * Whether it is the words of this one command that are refused, so that others of the same
   * account may well go.
   */
  public static boolean refusedWords(OutsideAnswer answer) {
    return refused(answer) && answer.err().lines().anyMatch(it -> NOT_TAKEN.matcher(it).matches());
  }

  private static boolean isRefusal(String line) {
    return line.startsWith(STARTER) || REFUSAL.matcher(line).matches() || isOfNobody(line);
  }

  /** Whether it is an engine's line of an account that its container does not have. */
  public static boolean isOfNobody(String line) {
    return NO_ACCOUNT.matcher(line).matches();
  }

  private static boolean isOwn(String line) {
    return line.startsWith(OWN)
        || line.startsWith(SORRY)
        || line.startsWith(STARTER)
        || isOfNobody(line);
  }
}
