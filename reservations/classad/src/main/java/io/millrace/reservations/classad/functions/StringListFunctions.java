package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;

/** Strings that are lists: items with delimiters between. */
final class StringListFunctions {

  private static final String DELIMITERS = ", ";
  private static final String MEMBER_DELIMITERS = ", \t\r\n";

  static final Map<String, BuiltIn> TABLE =
      Map.ofEntries(
          Map.entry("stringListSize", StringListFunctions::size),
          Map.entry("stringListSum", numbers(Double::sum, Scalar.of(0.0), false)),
          Map.entry("stringListAvg", numbers(Double::sum, Scalar.of(0.0), true)),
          Map.entry("stringListMin", numbers(Math::min, Scalar.UNDEFINED, false)),
          Map.entry("stringListMax", numbers(Math::max, Scalar.UNDEFINED, false)),
          Map.entry("stringListMember", arguments -> member(arguments, true)),
          Map.entry("stringListIMember", arguments -> member(arguments, false)),
          Map.entry("stringListSubsetMatch", arguments -> subset(arguments, true)),
          Map.entry("stringListISubsetMatch", arguments -> subset(arguments, false)),
          Map.entry("stringListsIntersect", StringListFunctions::intersect),
          Map.entry("stringList_regexpMember", StringListFunctions::regexpMember));

  private StringListFunctions() {}

  /** The items, without space around them; those of space alone are passed over. */
  private static List<String> items(Arguments arguments, String list, String delimiters) {
    arguments.evaluator().charge(list.length() / 4);
    List<String> items = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= list.length(); i++) {
      if (i == list.length() || delimiters.indexOf(list.charAt(i)) >= 0) {
        String item = list.substring(from, i).strip();
        if (!item.isEmpty()) {
          items.add(item);
        }
        from = i + 1;
      }
    }
    return items;
  }

  /**
   * The items of the first argument by the delimiters of the second; null when one is no string.
   */
  private static List<String> given(Arguments arguments) {
    Value list = arguments.value(0);
    Value by = arguments.count() == 2 ? arguments.value(1) : Scalar.of(DELIMITERS);
    return list instanceof Scalar.TextValue text && by instanceof Scalar.TextValue delimiters
        ? items(arguments, text.value(), delimiters.value())
        : null;
  }

  private static boolean count(Arguments arguments, int least, int most) {
    return arguments.count() >= least && arguments.count() <= most;
  }

  private static Value size(Arguments arguments) {
    List<String> items = count(arguments, 1, 2) ? given(arguments) : null;
    return items == null ? Scalar.ERROR : Scalar.of((long) items.size());
  }

  private static BuiltIn numbers(DoubleBinaryOperator join, Value ofNone, boolean average) {
    return arguments -> {
      List<String> items = count(arguments, 1, 2) ? given(arguments) : null;
      if (items == null) {
        return Scalar.ERROR;
      }
      if (items.isEmpty()) {
        return ofNone;
      }
      boolean whole = true;
      Double result = null;
      for (String each : items) {
        Double number = Conversion.number(each);
        if (number == null) {
          return Scalar.ERROR;
        }
        whole &= each.chars().allMatch(c -> "+-0123456789".indexOf(c) >= 0);
        result = result == null ? number : Double.valueOf(join.applyAsDouble(number, result));
      }
      double value = average ? result / items.size() : result;
      return whole ? Scalar.of((long) value) : Scalar.of(value);
    };
  }

  /** The first two arguments; undefined counts as empty, unless both are. */
  private record Two(String first, String second, String delimiters, Value instead) {

    static Two of(Arguments arguments) {
      if (!count(arguments, 2, 3)) {
        return new Two(null, null, null, Scalar.ERROR);
      }
      Value one = arguments.value(0);
      Value other = arguments.value(1);
      Value by = arguments.count() == 3 ? arguments.value(2) : Scalar.UNDEFINED;
      if (!isTextOrUndefined(one) || !isTextOrUndefined(other) || !isTextOrUndefined(by)) {
        return new Two(null, null, null, Scalar.ERROR);
      }
      boolean both = one.is(ClassAdType.UNDEFINED) && other.is(ClassAdType.UNDEFINED);
      return new Two(
          text(one, ""),
          text(other, ""),
          text(by, MEMBER_DELIMITERS),
          both ? Scalar.UNDEFINED : null);
    }

    private static boolean isTextOrUndefined(Value value) {
      return value.is(ClassAdType.STRING) || value.is(ClassAdType.UNDEFINED);
    }

    private static String text(Value value, String otherwise) {
      return value instanceof Scalar.TextValue text ? text.value() : otherwise;
    }
  }

  private static Value member(Arguments arguments, boolean withCase) {
    Two two = Two.of(arguments);
    if (two.instead() != null) {
      return two.instead();
    }
    String wanted = key(two.first(), withCase);
    return Scalar.of(
        items(arguments, two.second(), two.delimiters()).stream()
            .anyMatch(each -> key(each, withCase).equals(wanted)));
  }

  private static String key(String item, boolean withCase) {
    return withCase ? item : Conversion.lower(item);
  }

  private static Value subset(Arguments arguments, boolean withCase) {
    Two two = Two.of(arguments);
    if (two.instead() != null) {
      return two.instead();
    }
    if (two.first().isEmpty()) {
      return Scalar.of(true);
    }
    Set<String> all = new HashSet<>();
    items(arguments, two.second(), two.delimiters()).forEach(each -> all.add(key(each, withCase)));
    List<String> wanted = items(arguments, two.first(), two.delimiters());
    return Scalar.of(
        !wanted.isEmpty() && wanted.stream().allMatch(each -> all.contains(key(each, withCase))));
  }

  private static Value intersect(Arguments arguments) {
    if (!count(arguments, 2, 3)) {
      return Scalar.ERROR;
    }
    Value one = arguments.value(0);
    Value other = arguments.value(1);
    Value by = arguments.count() == 3 ? arguments.value(2) : Scalar.of("");
    if (one.is(ClassAdType.ERROR) || other.is(ClassAdType.ERROR) || by.is(ClassAdType.ERROR)) {
      return Scalar.ERROR;
    }
    if (one.isExceptional() || other.isExceptional() || by.isExceptional()) {
      return Scalar.UNDEFINED;
    }
    if (!(one instanceof Scalar.TextValue first)
        || !(other instanceof Scalar.TextValue second)
        || !(by instanceof Scalar.TextValue delimiters)) {
      return Scalar.ERROR;
    }
    String between = delimiters.value().isEmpty() ? " ," : delimiters.value();
    Set<String> all = new HashSet<>(pieces(arguments, second.value(), between));
    return Scalar.of(pieces(arguments, first.value(), between).stream().anyMatch(all::contains));
  }

  /** The items with the space around them. */
  private static List<String> pieces(Arguments arguments, String list, String delimiters) {
    arguments.evaluator().charge(list.length() / 4);
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= list.length(); i++) {
      if (i == list.length() || delimiters.indexOf(list.charAt(i)) >= 0) {
        if (i > from) {
          pieces.add(list.substring(from, i));
        }
        from = i + 1;
      }
    }
    return pieces;
  }

  private static Value regexpMember(Arguments arguments) {
    if (!count(arguments, 2, 4)) {
      return Scalar.ERROR;
    }
    String[] texts = {null, null, DELIMITERS, ""};
    for (int i = 0; i < arguments.count(); i++) {
      if (!(arguments.value(i) instanceof Scalar.TextValue text)) {
        return Scalar.ERROR;
      }
      texts[i] = text.value();
    }
    BoundedPattern pattern =
        BoundedPattern.of(texts[0], Conversion.lower(texts[3]), arguments.evaluator());
    if (pattern == null) {
      return Scalar.ERROR;
    }
    List<String> items = items(arguments, texts[1], texts[2]);
    if (items.isEmpty()) {
      return Scalar.UNDEFINED;
    }
    boolean any = false;
    for (String each : items) {
      any |= BoundedPattern.next(pattern.in(each));
    }
    return Scalar.of(any);
  }
}
