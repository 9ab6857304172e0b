package io.millrace.schedulers.gridengine.language.request;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits lines into words as a shell does: quotes hold words together, a backslash one character.
 */
public final class OptionLineWords {

  private OptionLineWords() {}

  public static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean within = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        within = true;
      } else if (c == '\\' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
        within = true;
      } else if (Character.isWhitespace(c)) {
        if (within || word.length() > 0) {
          words.add(word.toString());
        }
        word.setLength(0);
        within = false;
      } else {
        word.append(c);
      }
    }
    if (within || word.length() > 0) {
      words.add(word.toString());
    }
    return words;
  }

  /** The options in a script's lines that begin with {@code #$}. */
  public static List<String> directives(String script) {
    List<String> words = new ArrayList<>();
    script
        .lines()
        .filter(line -> line.startsWith("#$"))
        .forEach(l -> words.addAll(of(l.substring(2))));
    return words;
  }
}
