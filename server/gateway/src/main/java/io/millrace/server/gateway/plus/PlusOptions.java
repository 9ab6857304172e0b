package io.millrace.server.gateway.plus;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of PluS's commands: words behind one hyphen, in any order, each once. A value in brackets
 * may be left out.
 */
final class PlusOptions {

  static final String LOST = "what it means is lost";

  private final Call call;
  private final String usage;
  private final Map<String, String> given = new HashMap<>();

  private PlusOptions(Call call, String usage) {
    this.call = call;
    this.usage = usage;
  }

  /**
   * The options of a call.
   *
   * @param how its words are the options, those with a value as {@code -s startTime}
   */
  static PlusOptions read(Call call, Syntax how) throws Failure {
    PlusOptions options = new PlusOptions(call, how.usage());
    Map<String, Boolean> known = new HashMap<>();
    Set<String> optional = new HashSet<>();
    for (String word : how.words()) {
      String name = word.split(" ")[0];
      known.put(name, word.contains(" ") && !word.contains(" ["));
      if (word.contains(" [")) {
        optional.add(name);
      }
    }
    List<String> args = call.args();
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      String why = word.length() == 2 ? how.refused().get(word.charAt(1)) : null;
      if (why != null && word.charAt(0) == '-') {
        throw call.refused(word, why);
      }
      Boolean valued = known.get(word);
      if (valued == null) {
        boolean option = word.startsWith("-") && word.length() > 1;
        throw options.wrong(option ? "there is no option " + word : "not expected: " + word);
      }
      if (options.has(word)) {
        throw options.wrong("option " + word + " is given twice");
      }
      if (valued && (i + 1 == args.size() || args.get(i + 1).isEmpty())) {
        throw options.wrong("option " + word + " needs a value");
      }
      boolean open = optional.contains(word) && i + 1 < args.size();
      valued |= open && !args.get(i + 1).startsWith("-");
      options.given.put(word, valued ? args.get(++i) : "");
    }
    return options;
  }

  boolean has(String word) {
    return given.containsKey(word);
  }

  /** The value of an option; null when it was not given. */
  String value(String word) {
    return given.get(word);
  }

  /** The value of an option that must be there. */
  String must(String word) throws Failure {
    if (!has(word)) {
      throw wrong("option " + word + " is needed");
    }
    return value(word);
  }

  void exclude(String one, String other) throws Failure {
    if (has(one) && has(other)) {
      throw wrong("options " + one + " and " + other + " exclude each other");
    }
  }

  /** A number of at least 1, or the default. */
  int number(String word, int most, int whenAbsent) throws Failure {
    String text = value(word);
    if (text == null) {
      return whenAbsent;
    }
    if (!text.matches("[0-9]{1,9}")) {
      throw wrong("option " + word + ": no number: " + text);
    }
    int number = Integer.parseInt(text);
    if (number < 1 || number > most) {
      throw wrong("option " + word + ": not from 1 to " + most + ": " + text);
    }
    return number;
  }

  /** A wrong line: what is wrong with it, and how it should be. */
  Failure wrong(String what) {
    return call.usage(call.name() + ": " + what + "\n" + usage);
  }
}
