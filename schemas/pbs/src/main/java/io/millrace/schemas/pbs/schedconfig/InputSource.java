package io.millrace.schemas.pbs.schedconfig;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * From where an input of a scheduler's policy comes: {@code NAME KIND SECONDS WHAT}, a line each in
 * an attribute of the scheduler object.
 *
 * @param name of the input
 * @param eachS after how many seconds it is read again at the earliest
 * @param what the command line of a program, or the path of a file
 */
public record InputSource(String name, InputKind kind, long eachS, String what) {

  /** What is read. */
  public enum InputKind {
    /** The first line that a program says, which is an amount of the resource of that name. */
    AMOUNT,
    /** All that a program says. */
    TEXT,
    /** A file on the host of the shard's owner. */
    FILE
  }

  private static final int WORDS = 4;

  /** Longest text of an input in a list of all, characters. */
  private static final int BRIEF_MAX = 80;

  /** The text of an attribute; empty without sources. */
  public static String text(List<InputSource> sources) {
    return sources.stream()
        .map(it -> it.name() + " " + it.kind() + " " + it.eachS() + " " + it.what())
        .collect(Collectors.joining("\n"));
  }

  /** Sources from the text that {@link #text} made; other lines are passed over. */
  public static List<InputSource> parse(String text) {
    List<InputSource> sources = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", WORDS);
      if (words.length == WORDS && words[2].matches("\\d{1,9}")) {
        InputKind kind = InputKind.valueOf(words[1]);
        sources.add(new InputSource(words[0], kind, Long.parseLong(words[2]), words[3]));
      }
    }
    return sources;
  }

  /** A content as a list of all inputs shows it: one of several lines is not repeated there. */
  public static String brief(String content) {
    String text = content.strip();
    boolean brief = text.length() <= BRIEF_MAX && text.indexOf('\n') < 0;
    return brief ? text : "(" + text.lines().count() + " lines)";
  }
}
