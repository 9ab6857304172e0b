package io.millrace.schemas.pbs.schedconfig.options;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of a line of sched_config, as OpenPBS takes them apart: the first ends at a colon or a
 * blank, the others at blanks; a word in quotes may have blanks in it.
 */
final class LineWords {

  private LineWords() {}

  /** True for a line without content. */
  static boolean isComment(String line) {
    String text = line.stripLeading();
    return text.isEmpty() || text.charAt(0) == '#' || text.charAt(0) == '*';
  }

  /** The words; fewer than two where name or value is missing. */
  static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    int[] at = {0};
    String name = word(line, at, ':');
    while (name != null) {
      words.add(name);
      name = word(line, at, ' ');
    }
    return words;
  }

  private static String word(String line, int[] from, char end) {
    int at = from[0];
    while (at < line.length() && (blank(line.charAt(at)) || line.charAt(at) == end)) {
      at++;
    }
    if (at >= line.length()) {
      from[0] = at;
      return null;
    }
    char first = line.charAt(at);
    int begin = at;
    if (first == '"' || first == '\'') {
      begin++;
      at++;
      while (at < line.length() && line.charAt(at) != first) {
        at++;
      }
    } else {
      while (at < line.length() && !blank(line.charAt(at)) && line.charAt(at) != end) {
        at++;
      }
    }
    from[0] = Math.min(line.length(), at + 1);
    return line.substring(begin, at);
  }

  private static boolean blank(char letter) {
    return letter == ' ' || letter >= '\t' && letter <= '\r';
  }
}
