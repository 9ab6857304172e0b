package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.Map;
import java.util.regex.Matcher;

/** Regular expressions: searching and replacing. */
final class PatternFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "regexp", PatternFunctions::regexp,
          "regexpMember", PatternFunctions::regexpMember,
          "regexps", arguments -> replace(arguments, ""),
          "replace", arguments -> replace(arguments, "f"),
          "replaceAll", arguments -> replace(arguments, "fg"));

  private PatternFunctions() {}

  /** The arguments from the first to the last; null and what is said instead. */
  private record Given(Value[] values, Value instead) {

    static Given of(Arguments arguments, int least) {
      int count = arguments.count();
      if (count != least && count != least + 1) {
        return new Given(null, Scalar.ERROR);
      }
      Value[] values = new Value[count];
      Value instead = null;
      for (int i = 0; i < count; i++) {
        values[i] = arguments.value(i);
        if (values[i].is(ClassAdType.ERROR)
            || (values[i].is(ClassAdType.UNDEFINED) && instead == null)) {
          instead = values[i];
        }
      }
      boolean options = count == least || values[least].is(ClassAdType.STRING);
      return new Given(values, instead == null && !options ? Scalar.ERROR : instead);
    }

    String text(int index) {
      return index < values.length && values[index] instanceof Scalar.TextValue text
          ? text.value()
          : null;
    }

    String options(int index) {
      return index < values.length ? text(index) : "";
    }
  }

  private static Value regexp(Arguments arguments) {
    Given given = Given.of(arguments, 2);
    if (given.instead() != null) {
      return given.instead();
    }
    String pattern = given.text(0);
    String target = given.text(1);
    if (pattern == null || target == null) {
      return Scalar.ERROR;
    }
    BoundedPattern compiled = BoundedPattern.of(pattern, given.options(2), arguments.evaluator());
    return compiled == null ? Scalar.ERROR : Scalar.of(BoundedPattern.next(compiled.in(target)));
  }

  private static Value regexpMember(Arguments arguments) {
    Given given = Given.of(arguments, 2);
    if (given.instead() != null) {
      return given.instead();
    }
    String pattern = given.text(0);
    if (pattern == null || !(given.values()[1] instanceof ListValue list)) {
      return Scalar.ERROR;
    }
    Evaluator evaluator = arguments.evaluator();
    BoundedPattern compiled = BoundedPattern.of(pattern, given.options(2), evaluator);
    Value otherwise = Scalar.of(false);
    for (Expression each : list.items()) {
      Value item = evaluator.value(each, list.scope());
      if (item.is(ClassAdType.UNDEFINED)) {
        otherwise = item;
      } else if (!(item instanceof Scalar.TextValue text)) {
        return Scalar.ERROR;
      } else if (compiled != null && BoundedPattern.next(compiled.in(text.value()))) {
        return Scalar.of(true);
      }
    }
    return otherwise;
  }

  private static Value replace(Arguments arguments, String always) {
    Given given = Given.of(arguments, 3);
    if (given.instead() != null) {
      return given.instead();
    }
    String pattern = given.text(0);
    String target = given.text(1);
    String by = given.text(2);
    if (pattern == null || target == null || by == null) {
      return Scalar.ERROR;
    }
    String options = given.options(3) + always;
    Evaluator evaluator = arguments.evaluator();
    BoundedPattern compiled = BoundedPattern.of(pattern, options, evaluator);
    if (compiled == null) {
      return Scalar.ERROR;
    }
    boolean full = options.indexOf('f') >= 0;
    boolean all = options.indexOf('g') >= 0;
    StringBuilder out = new StringBuilder();
    Matcher matcher = compiled.in(target);
    int from = 0;
    while (BoundedPattern.next(matcher)) {
      out.append(full ? target.substring(from, matcher.start()) : "");
      if (!substitute(by, matcher, out, evaluator)) {
        return Scalar.ERROR;
      }
      from = matcher.end();
      if (!all) {
        break;
      }
    }
    return evaluator.string(out.append(full ? target.substring(from) : ""));
  }

  /** Appends the substitute; false when it names a group that did not match. */
  private static boolean substitute(
      String by, Matcher matcher, StringBuilder out, Evaluator evaluator) {
    int groups = matcher.groupCount();
    while (groups > 0 && matcher.group(groups) == null) {
      groups--;
    }
    for (int i = 0; i < by.length(); i++) {
      char c = by.charAt(i);
      if (c == '\\' && i + 1 < by.length() && Character.isDigit(by.charAt(i + 1))) {
        int group = by.charAt(++i) - '0';
        if (group > groups) {
          return false;
        }
        String matched = matcher.group(group);
        out.append(matched == null ? "" : matched);
        evaluator.charge(1);
        evaluator.checkLength(out.length());
      } else {
        out.append(c);
      }
    }
    evaluator.charge(by.length() / 8 + 1);
    evaluator.checkLength(out.length());
    return true;
  }
}
