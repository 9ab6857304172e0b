package io.millrace.server.terminal;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Finds the word that is to be completed: what stands before the cursor up to a separator. */
final class CompletionWord implements Parser {
  private static final String SEPARATORS = " \t,=";

  /**
   * @param word up to the cursor
   */
  private record WordAtCursor(String line, int cursor, String word)
      implements CompletingParsedLine {
    @Override
    public int wordCursor() {
      return word.length();
    }

    @Override
    public int rawWordCursor() {
      return word.length();
    }

    @Override
    public int rawWordLength() {
      return word.length();
    }

    /** Nothing is quoted: a directive has what the user typed. */
    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    return new WordAtCursor(line, cursor, line.substring(start(line, cursor), cursor));
  }

  private static int start(String line, int cursor) {
    int start = cursor;
    while (start > 0 && SEPARATORS.indexOf(line.charAt(start - 1)) < 0) {
      start--;
    }
    return start;
  }
}
