package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Environments and arguments of jobs in HTCondor's two ways of writing them in one string. */
final class EnvironmentFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "envV1ToV2", TypeFunctions.one(EnvironmentFunctions::envV1ToV2),
          "mergeEnvironment", EnvironmentFunctions::mergeEnvironment,
          "argsToList", EnvironmentFunctions::argsToList,
          "listToArgs", EnvironmentFunctions::listToArgs);

  private static final String V1_DELIMITERS = "!#$%&*+,-/:;<>?@^`|~\u001f";
  private static final String SPACE = " \t\n\r";

  private EnvironmentFunctions() {}

  /** Adds {@code NAME=value}; false for what is none. One with $$ is taken as it is. */
  private static boolean add(Map<String, String> environment, String entry) {
    int equals = entry.indexOf('=');
    if (equals < 0 && entry.contains("$$")) {
      environment.put(entry, entry);
      return true;
    }
    if (equals <= 0) {
      return false;
    }
    environment.put(entry.substring(0, equals), entry);
    return true;
  }

  private static Value envV1ToV2(Arguments arguments) {
    Value of = arguments.value(0);
    if (!(of instanceof Scalar.TextValue text)) {
      return of.is(ClassAdType.UNDEFINED) ? of : Scalar.ERROR;
    }
    String entries = text.value();
    char delimiter = ';';
    if (!entries.isEmpty() && V1_DELIMITERS.indexOf(entries.charAt(0)) >= 0) {
      delimiter = entries.charAt(0);
      entries = entries.substring(1);
    }
    Map<String, String> environment = new TreeMap<>();
    for (String each : entries.replace(delimiter, '\n').split("\n")) {
      String entry = each.stripLeading();
      if (!entry.isEmpty() && !add(environment, entry)) {
        return Scalar.ERROR;
      }
    }
    return arguments.evaluator().string(joined(List.copyOf(environment.values())));
  }

  private static Value mergeEnvironment(Arguments arguments) {
    Map<String, String> environment = new TreeMap<>();
    for (int i = 0; i < arguments.count(); i++) {
      Value of = arguments.value(i);
      if (of.is(ClassAdType.UNDEFINED)) {
        continue;
      }
      List<String> entries = of instanceof Scalar.TextValue text ? split(text.value()) : null;
      if (entries == null || !entries.stream().allMatch(each -> add(environment, each))) {
        return Scalar.ERROR;
      }
    }
    return arguments.evaluator().string(joined(List.copyOf(environment.values())));
  }

  /** The way of writing that the second argument names: 1 or 2; 0 for anything else. */
  private static int version(Arguments arguments) {
    if (arguments.count() == 1) {
      return 2;
    }
    boolean given =
        arguments.count() == 2
            && arguments.value(1) instanceof Scalar.WholeNumber whole
            && (whole.value() == 1 || whole.value() == 2);
    return given ? (int) ((Scalar.WholeNumber) arguments.value(1)).value() : 0;
  }

  private static Value argsToList(Arguments arguments) {
    int version = version(arguments);
    if (version == 0 || !(arguments.value(0) instanceof Scalar.TextValue text)) {
      return Scalar.ERROR;
    }
    List<String> words = version == 2 ? split(text.value()) : words(text.value());
    if (words == null) {
      return Scalar.ERROR;
    }
    arguments.evaluator().charge(words.size());
    return ListValue.of(words.stream().map(Scalar::of).toList());
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String each : text.split("[" + SPACE + "]+")) {
      if (!each.isEmpty()) {
        words.add(each);
      }
    }
    return words;
  }

  private static Value listToArgs(Arguments arguments) {
    int version = version(arguments);
    if (version == 0 || !(arguments.value(0) instanceof ListValue list)) {
      return Scalar.ERROR;
    }
    List<String> words = new ArrayList<>();
    for (Expression each : list.items()) {
      if (!(arguments.evaluator().value(each, list.scope()) instanceof Scalar.TextValue text)) {
        return Scalar.ERROR;
      }
      words.add(text.value());
    }
    if (version == 1) {
      // The older way has no quotes: what is empty or has space cannot be written.
      boolean fits = words.stream().allMatch(each -> words(each).equals(List.of(each)));
      return fits ? arguments.evaluator().string(String.join(" ", words)) : Scalar.ERROR;
    }
    return arguments.evaluator().string(joined(words));
  }

  /** Splits at space that is not in apostrophes; two of them are one. Null when one is open. */
  private static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (SPACE.indexOf(c) >= 0) {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (c != '\'') {
        word.append(c);
        continue;
      }
      int close = quoted(text, at, word);
      if (close < 0) {
        return null;
      }
      at = close;
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /** Reads what is in apostrophes; the place behind the closing one, -1 when there is none. */
  private static int quoted(String text, int from, StringBuilder word) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '\'') {
        word.append(c);
      } else if (at < text.length() && text.charAt(at) == '\'') {
        word.append(c);
        at++;
      } else {
        return at;
      }
    }
    return -1;
  }

  private static String joined(List<String> words) {
    StringBuilder out = new StringBuilder();
    for (String each : words) {
      out.append(out.length() > 0 ? " " : "").append(each.isEmpty() ? "''" : "");
      for (int i = 0; i < each.length(); i++) {
        char c = each.charAt(i);
        if (c != '\'' && SPACE.indexOf(c) < 0) {
          out.append(c);
          continue;
        }
        // A quoted part that was just closed goes on.
        if (out.length() > 0 && out.charAt(out.length() - 1) == '\'') {
          out.setLength(out.length() - 1);
        } else {
          out.append('\'');
        }
        out.append(c == '\'' ? "''" : c).append('\'');
      }
    }
    return out.toString();
  }
}
