package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.NaturalOrder;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Joining, cutting and comparing strings. */
final class StringFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "strcat",
          StringFunctions::strcat,
          "join",
          StringFunctions::join,
          "toUpper",
          changed(Conversion::upper),
          "toLower",
          changed(Conversion::lower),
          "substr",
          StringFunctions::substr,
          "strcmp",
          arguments -> compare(arguments, true),
          "stricmp",
          arguments -> compare(arguments, false),
          "split",
          StringFunctions::split,
          "splitUserName",
          TypeFunctions.one(arguments -> splitAt(arguments.value(0), false)),
          "splitSlotName",
          TypeFunctions.one(arguments -> splitAt(arguments.value(0), true)));

  private StringFunctions() {}

  private static Value strcat(Arguments arguments) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < arguments.count(); i++) {
      Value value = Conversion.string(arguments.evaluator(), arguments.value(i));
      if (!(value instanceof Scalar.TextValue text)) {
        return value;
      }
      arguments.evaluator().checkLength((long) out.length() + text.value().length());
      out.append(text.value());
    }
    return arguments.evaluator().string(out);
  }

  private static Value join(Arguments arguments) {
    Evaluator evaluator = arguments.evaluator();
    List<Supplier<Value>> parts = new ArrayList<>();
    int count = arguments.count();
    if (count > 0 && count <= 2 && arguments.value(count - 1) instanceof ListValue list) {
      parts.add(() -> count == 2 ? arguments.value(0) : Scalar.of(""));
      for (Expression each : list.items()) {
        parts.add(() -> evaluator.value(each, list.scope()));
      }
    } else {
      for (int i = 0; i < count; i++) {
        int index = i;
        parts.add(() -> arguments.value(index));
      }
    }
    return joined(evaluator, parts);
  }

  /** The first part separates the others; those that are undefined are passed over. */
  private static Value joined(Evaluator evaluator, List<Supplier<Value>> parts) {
    StringBuilder out = new StringBuilder();
    String separator = "";
    boolean anyUndefined = false;
    boolean anyDefined = false;
    for (int i = 0; i < parts.size(); i++) {
      Value value = Conversion.string(evaluator, parts.get(i).get());
      if (value.is(ClassAdType.ERROR)) {
        return value;
      }
      if (!(value instanceof Scalar.TextValue text)) {
        anyUndefined = true;
      } else if (i == 0) {
        separator = text.value();
      } else {
        evaluator.checkLength((long) out.length() + separator.length() + text.value().length());
        out.append(out.length() == 0 ? "" : separator).append(text.value());
        anyDefined = true;
      }
    }
    return anyUndefined && !anyDefined ? Scalar.UNDEFINED : evaluator.string(out);
  }

  private static BuiltIn changed(UnaryOperator<String> change) {
    return TypeFunctions.one(
        arguments -> {
          Value value = Conversion.string(arguments.evaluator(), arguments.value(0));
          return value instanceof Scalar.TextValue text
              ? arguments.evaluator().string(change.apply(text.value()))
              : value;
        });
  }

  private static Value substr(Arguments arguments) {
    if (arguments.count() < 2 || arguments.count() > 3) {
      return Scalar.ERROR;
    }
    Value of = arguments.value(0);
    Value from = arguments.value(1);
    Value length = arguments.count() == 3 ? arguments.value(2) : null;
    if (of.is(ClassAdType.UNDEFINED)
        || from.is(ClassAdType.UNDEFINED)
        || (length != null && length.is(ClassAdType.UNDEFINED))) {
      return Scalar.UNDEFINED;
    }
    if (!(of instanceof Scalar.TextValue text)
        || !(from instanceof Scalar.WholeNumber offset)
        || (length != null && !length.is(ClassAdType.INTEGER))) {
      return Scalar.ERROR;
    }
    int size = text.value().length();
    long given = offset.value();
    int begin =
        (int) Math.max(0, given < 0 ? Math.max(-size, given) + size : Math.min(size, given));
    long most = size - begin;
    if (length instanceof Scalar.WholeNumber whole) {
      long wanted = whole.value();
      most = wanted < 0 ? Math.max(0, most + Math.max(-size, wanted)) : Math.min(most, wanted);
    }
    return arguments.evaluator().string(text.value().substring(begin, begin + (int) most));
  }

  private static Value compare(Arguments arguments, boolean withCase) {
    return TwoTexts.of(
        arguments,
        (left, right) -> {
          int order = withCase ? left.compareTo(right) : NaturalOrder.withoutCase(left, right);
          return Scalar.of((long) Integer.signum(order));
        });
  }

  private static Value splitAt(Value value, boolean slot) {
    if (!(value instanceof Scalar.TextValue text)) {
      return Scalar.ERROR;
    }
    String whole = text.value();
    int at = whole.indexOf('@');
    String first = at < 0 ? (slot ? "" : whole) : whole.substring(0, at);
    String second = at < 0 ? (slot ? whole : "") : whole.substring(at + 1);
    return ListValue.of(List.of(Scalar.of(first), Scalar.of(second)));
  }

  private static Value split(Arguments arguments) {
    if (arguments.count() < 1 || arguments.count() > 2) {
      return Scalar.ERROR;
    }
    Value of = arguments.value(0);
    Value by = arguments.count() == 2 ? arguments.value(1) : Scalar.of(", \t");
    if (!(of instanceof Scalar.TextValue text) || !(by instanceof Scalar.TextValue separators)) {
      return Scalar.ERROR;
    }
    List<Value> parts = new ArrayList<>();
    String whole = text.value();
    int from = 0;
    int last = -1;
    for (int i = 0; i < whole.length(); i++) {
      char c = whole.charAt(i);
      if (separators.value().indexOf(c) < 0) {
        continue;
      }
      boolean space = Character.isWhitespace(c);
      // The same sign twice has nothing between; space does not count.
      if (i > from || (last == c && !space)) {
        parts.add(Scalar.of(whole.substring(from, i)));
      }
      last = space ? last : c;
      from = i + 1;
    }
    if (from < whole.length()) {
      parts.add(Scalar.of(whole.substring(from)));
    }
    arguments.evaluator().charge(whole.length() / 8 + parts.size());
    return ListValue.of(parts);
  }
}
