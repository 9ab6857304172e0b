package io.millrace.schedulers.dialects.gridengine.options;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a configuration text with its continuations joined.
 *
 * @param number of its first physical line, from 1
 */
public record Line(int number, String text) {

  /** The lines that say something, without comments. */
  public static List<Line> of(String text) {
    List<Line> lines = new ArrayList<>();
    StringBuilder joined = new StringBuilder();
    int first = 0;
    int number = 0;
    for (String physical : text.split("\n", -1)) {
      number++;
      String part = physical.strip();
      if (joined.length() == 0) {
        first = number;
      }
      if (part.endsWith("\\")) {
        joined.append(part, 0, part.length() - 1);
        continue;
      }
      joined.append(part);
      if (joined.length() > 0 && joined.charAt(0) != '#') {
        lines.add(new Line(first, joined.toString()));
      }
      joined.setLength(0);
    }
    if (joined.length() > 0) {
      lines.add(new Line(first, joined.toString().strip()));
    }
    return lines;
  }
}
