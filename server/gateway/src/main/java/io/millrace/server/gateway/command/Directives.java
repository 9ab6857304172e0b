package io.millrace.server.gateway.command;

import java.util.ArrayList;
import java.util.List;

/** Options inside a script: lines that begin with the prefix, before the first command. */
final class Directives {

  private static final String DEFAULT_PREFIX = "#PBS";

  private Directives() {}

  /** The prefix that holds: option -C, else the variable PBS_DPREFIX, else "#PBS". */
  static String prefix(Wishes commandLine, Call call) {
    String fromEnvironment = call.invocation().environment().get("PBS_DPREFIX");
    return commandLine.get('C', fromEnvironment == null ? DEFAULT_PREFIX : fromEnvironment);
  }

  /** The words of all directives, in order; none when the prefix is empty. */
  static List<String> words(String script, String prefix, Call call) throws Failure {
    List<String> words = new ArrayList<>();
    if (prefix.isEmpty()) {
      return words;
    }
    for (String line : (Iterable<String>) script.lines()::iterator) {
      if (isDirective(line, prefix)) {
        words.addAll(split(line.substring(prefix.length()), call));
      } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith(":")) {
        break;
      }
    }
    return words;
  }

  private static boolean isDirective(String line, String prefix) {
    return line.startsWith(prefix)
        && (line.length() == prefix.length()
            || Character.isWhitespace(line.charAt(prefix.length())));
  }

  /** A word that begins with # ends the directive: the rest is a remark. */
  private static List<String> split(String text, Call call) throws Failure {
    try {
      List<String> words = Words.split(text.strip());
      for (int i = 0; i < words.size(); i++) {
        if (words.get(i).startsWith("#")) {
          return words.subList(0, i);
        }
      }
      return words;
    } catch (IllegalArgumentException e) {
      throw call.failure("directive error: " + text.strip() + ": " + e.getMessage(), 2);
    }
  }
}
