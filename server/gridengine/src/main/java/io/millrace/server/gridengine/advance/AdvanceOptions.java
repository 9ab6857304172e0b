package io.millrace.server.gridengine.advance;

import io.millrace.server.gateway.command.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Words of a command line of qrsub, qrstat or qrdel: options with their arguments, and others. */
public final class AdvanceOptions {

  /** Options that build a list when they are given more than once. */
  private static final Set<String> LISTS = Set.of("-l", "-q", "-u", "-ar", "-M");

  private final Map<String, List<String>> given = new LinkedHashMap<>();
  private final List<String> operands = new ArrayList<>();

  private AdvanceOptions() {}

  /**
   * Reads words.
   *
   * @param known how many arguments each option has
   * @throws Failure in Grid Engine's words for what it does not know or what is missing
   */
  static AdvanceOptions of(List<String> words, Map<String, Integer> known) throws Failure {
    AdvanceOptions options = new AdvanceOptions();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-") || word.length() == 1) {
        options.operands.add(word);
        continue;
      }
      Integer arguments = known.get(word);
      if (arguments == null) {
        throw invalid(word);
      }
      if (i + arguments >= words.size()) {
        throw new Failure("error: " + word + " option must have argument\n", 1);
      }
      options.take(word, words.subList(i + 1, i + 1 + arguments));
      i += arguments;
    }
    return options;
  }

  /** What is said of a word that is no option, or no value of one. */
  static Failure invalid(String words) {
    return new Failure("error: invalid option argument \"" + words + "\"\n", 1);
  }

  private void take(String option, List<String> arguments) {
    if (LISTS.contains(option) && given.containsKey(option)) {
      given.put(option, List.of(given.get(option).get(0) + "," + arguments.get(0)));
    } else {
      given.put(option, List.copyOf(arguments));
    }
  }

  boolean has(String option) {
    return given.containsKey(option);
  }

  /** The first argument of an option. */
  Optional<String> value(String option) {
    return Optional.ofNullable(given.get(option)).map(it -> it.get(0));
  }

  /** The parts of a list. */
  List<String> list(String option) {
    return value(option).map(AdvanceOptions::parts).orElse(List.of());
  }

  static List<String> parts(String list) {
    return List.of(list.split(",")).stream()
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .toList();
  }

  /** A value that is y, yes, n or no. */
  boolean yes(String option) throws Failure {
    String value = value(option).orElse("n");
    return switch (value.toLowerCase(java.util.Locale.ROOT)) {
      case "y", "yes" -> true;
      case "n", "no" -> false;
      default -> throw invalid(option + " " + value);
    };
  }

  List<String> operands() {
    return List.copyOf(operands);
  }

  /** These options with their arguments, word by word, as far as they were given. */
  List<String> words(String... options) {
    List<String> words = new ArrayList<>();
    for (String option : options) {
      if (has(option)) {
        words.add(option);
        words.addAll(given.get(option));
      }
    }
    return words;
  }
}
