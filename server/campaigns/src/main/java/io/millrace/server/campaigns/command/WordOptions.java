package io.millrace.server.campaigns.command;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.GetOpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** CiGri's options as words, {@code --campaign 5} or {@code --campaign=5}, beside their letters. */
final class WordOptions {

  private static final String WORD = "--";

  private WordOptions() {}

  /**
   * Reads the options of a call.
   *
   * @param letters as getopt takes them
   * @param words which letter each word stands for
   */
  static GetOpt of(Call call, String letters, Map<String, Character> words) {
    List<String> args = new ArrayList<>();
    boolean more = true;
    for (String arg : call.args()) {
      more &= !arg.equals(WORD);
      args.add(more && arg.startsWith(WORD) ? lettered(arg, letters, words) : arg);
    }
    return GetOpt.parse(letters, args, false, text -> call.complain(text));
  }

  /**
   * What is no word that is known stays as it is, and is complained about; so does a value of one
   * that takes none, which would be further letters.
   */
  private static String lettered(String arg, String letters, Map<String, Character> words) {
    int equals = arg.indexOf('=');
    String word = arg.substring(WORD.length(), equals < 0 ? arg.length() : equals);
    Character letter = words.get(word);
    if (letter == null || equals >= 0 && !letters.contains(letter + ":")) {
      return arg;
    }
    return "-" + letter + (equals < 0 ? "" : arg.substring(equals + 1));
  }
}
