package io.millrace.connectors.bridge.command;

import java.util.List;
import java.util.regex.Pattern;

/** What sudo says when it does not begin the command that it was given. */
public final class SudoWords {

  private static final String OWN = "sudo: ";

  private static final Pattern REFUSAL =
      Pattern.compile(
          "sudo: .*(a password is required|a terminal is required|not allowed to (execute|run)"
              + "|unknown user|no tty|must have a tty|: command not found).*");

  private SudoWords() {}

  /**
   * Whether sudo has refused, so that nothing of the command was carried out. A warning of its own,
   * as of a host that it cannot resolve, says nothing: the command goes on behind it. Nor does a
   * refusal among the words of others.
   */
  public static boolean refused(OutsideAnswer answer) {
    if (!answer.isWhole() || answer.status() == 0 || !answer.out().isEmpty()) {
      return false;
    }
    List<String> lines = answer.err().lines().filter(it -> !it.isBlank()).toList();
    return lines.stream().allMatch(it -> it.startsWith(OWN))
        && lines.stream().anyMatch(it -> REFUSAL.matcher(it).matches());
  }
}
