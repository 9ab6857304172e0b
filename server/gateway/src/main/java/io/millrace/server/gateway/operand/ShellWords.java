package io.millrace.server.gateway.operand;

import java.util.ArrayList;
import java.util.List;

/** Splits text as a shell would: blanks between words, quotes and backslashes around blanks. */
public final class ShellWords {

  private ShellWords() {}

  /**
   * The words of a line.
   *
   * @throws IllegalArgumentException when a quote is not closed
   */
  public static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean blank = quote == 0 && (c == ' ' || c == '\t');
      if (blank) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote " + quote + " is not closed");
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /** Splits at commas that stand outside quotes; quotes are taken away. */
  public static List<String> splitList(String text) {
    List<String> items = new ArrayList<>();
    StringBuilder item = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && c == ',') {
        items.add(item.toString());
        item = new StringBuilder();
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else if (c == '\\' && i + 1 < text.length()) {
        item.append(text.charAt(++i));
      } else {
        item.append(c);
      }
    }
    items.add(item.toString());
    return items;
  }
}
