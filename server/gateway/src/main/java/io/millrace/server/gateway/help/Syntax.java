package io.millrace.server.gateway.help;

import java.util.List;
import java.util.Map;

/**
 * The syntax of a command.
 *
 * @param letters its options as getopt(3) takes them: a colon behind one says that it has an
 *     argument
 * @param words options that are words, {@code --bulk FILE} for example
 * @param refused options that PBS has and that are refused by name, with why
 * @param usage the lines that a wrong call gets
 */
public record Syntax(
    String letters, List<String> words, Map<Character, String> refused, String usage) {

  public static Syntax of(String letters, String usage) {
    return new Syntax(letters, List.of(), Map.of(), usage);
  }

  public Syntax refusing(Map<Character, String> letters) {
    return new Syntax(this.letters, words, letters, usage);
  }

  public Syntax with(String... words) {
    return new Syntax(letters, List.of(words), refused, usage);
  }
}
