package io.millrace.schemas.pbs.schedconfig;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The files of a policy as one text: each follows a line with its name. */
public final class JoinedFiles {
  /** Name under which the time zone of the files stands among them. */
  public static final String ZONE = "time_zone";

  /** Marks the beginning of each file. */
  private static final String MARK = "=== ";

  private JoinedFiles() {}

  /** All files as one text, in the order of the map. */
  public static String join(Map<String, String> files) {
    StringBuilder text = new StringBuilder();
    files.forEach(
        (name, content) -> {
          text.append(MARK).append(name).append('\n').append(content);
          if (!content.endsWith("\n")) {
            text.append('\n');
          }
        });
    return text.toString();
  }

  /**
   * The files of a text that {@link #join} made, by their names; never throws.
   *
   * @param known true for the name of a file that may be in it
   * @param whose words for the owner of such files
   * @param problems takes a line for each one that is wrong
   */
  public static Map<String, String> split(
      String text, Predicate<String> known, String whose, List<String> problems) {
    Map<String, StringBuilder> files = new TreeMap<>();
    StringBuilder content = null;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.startsWith(MARK)) {
        String name = line.substring(MARK.length()).strip();
        if (!known.test(name) || files.containsKey(name)) {
          problems.add("line " + number + ": '" + name + "' is no file of " + whose + ", or twice");
        }
        content = files.computeIfAbsent(name, it -> new StringBuilder());
      } else if (content == null) {
        problems.add(
            "line " + number + ": it does not begin with '" + MARK + "' and a file's name");
        content = new StringBuilder();
      } else {
        content.append(line).append('\n');
      }
    }
    Map<String, String> texts = new TreeMap<>();
    files.forEach((name, lines) -> texts.put(name, lines.toString()));
    return texts;
  }

  /** The files of a text, whatever their names. */
  public static Map<String, String> split(String text) {
    return split(text, name -> true, "a policy", new ArrayList<>());
  }
}
