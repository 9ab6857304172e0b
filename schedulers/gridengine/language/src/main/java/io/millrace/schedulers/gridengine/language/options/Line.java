package io.millrace.schedulers.gridengine.language.options;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a configuration text with its continuations joined: by a blank, or by nothing after a
 * comma.
 *
 * @param number of its first physical line, from 1
 */
public record Line(int number, String text) {

  private static final String CONTINUES = "\\";

  /** The lines of a text without comments; a comment ends with its line even after a backslash. */
  public static List<Line> of(String text) {
    List<Line> lines = new ArrayList<>();
    StringBuilder joined = new StringBuilder();
    int first = 0;
    int number = 0;
    for (String physical : text.lines().toList()) {
      number++;
      String part = physical.strip();
      if (joined.length() == 0) {
        first = number;
        if (part.startsWith("#")) {
          continue;
        }
      }
      boolean continues = part.endsWith(CONTINUES);
      add(joined, continues ? part.substring(0, part.length() - 1).strip() : part);
      if (!continues) {
        take(lines, first, joined);
      }
    }
    take(lines, first, joined);
    return lines;
  }

  private static void add(StringBuilder joined, String part) {
    boolean apart = joined.length() > 0 && joined.charAt(joined.length() - 1) != ',';
    joined.append(apart && !part.isEmpty() ? " " : "").append(part);
  }

  private static void take(List<Line> lines, int first, StringBuilder joined) {
    if (joined.length() > 0) {
      lines.add(new Line(first, joined.toString()));
      joined.setLength(0);
    }
  }
}
