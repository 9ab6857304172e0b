package io.millrace.server.gateway.request;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.ShellWords;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Options inside a script: lines that begin with the prefix, before the first command. */
public final class ScriptDirectives {

  private static final String DEFAULT_PREFIX = "#PBS";

  private ScriptDirectives() {}

  /** The prefix that holds: option -C, else the variable PBS_DPREFIX, else "#PBS". */
  public static String prefix(JobOptions commandLine, Call call) {
    String fromEnvironment = call.invocation().environment().get("PBS_DPREFIX");
    return commandLine.get('C', fromEnvironment == null ? DEFAULT_PREFIX : fromEnvironment);
  }

  /**
   * The words of each directive, in order; none when the prefix is empty.
   *
   * <p>Blanks may stand before a directive and none need follow its prefix; with a backslash at its
   * end it goes on in the next line. Remarks and empty lines may stand between directives, the
   * first other line ends the reading.
   */
  public static List<List<String>> of(String script, String prefix, Call call) throws Failure {
    List<List<String>> directives = new ArrayList<>();
    if (prefix.isEmpty()) {
      return directives;
    }
    Iterator<String> lines = script.lines().iterator();
    while (lines.hasNext()) {
      String line = lines.next();
      String text = line.stripLeading();
      if (text.startsWith(prefix)) {
        directives.add(split(whole(text.substring(prefix.length()), lines), call));
      } else if (!text.isEmpty() && !text.startsWith("#") && !line.startsWith(":")) {
        break;
      }
    }
    return directives;
  }

  /** A directive with the lines in which it goes on after a backslash. */
  private static String whole(String begun, Iterator<String> lines) {
    StringBuilder whole = new StringBuilder(begun.stripTrailing());
    while (whole.length() > 0 && whole.charAt(whole.length() - 1) == '\\') {
      whole.setLength(whole.length() - 1);
      if (lines.hasNext()) {
        whole.append(lines.next().stripTrailing());
      }
    }
    return whole.toString();
  }

  /**
   * @throws Failure for a script with a line that ends as on Windows: no shell would run it as it
   *     was meant
   */
  static void checkLineEnds(byte[] script, Call call) throws Failure {
    // A line that is nothing but its end does no harm.
    for (int i = 2; i < script.length; i++) {
      if (script[i] == '\n' && script[i - 1] == '\r') {
        throw call.failure("script contains cr, lf", 1);
      }
    }
  }

  /** A word that begins with # ends the directive: the rest is a remark. */
  private static List<String> split(String text, Call call) throws Failure {
    try {
      List<String> words = ShellWords.split(text.strip());
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
