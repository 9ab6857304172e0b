package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Values for the eyes of an administrator: short, with lists and records evaluated. */
final class ShownValue {

  private static final int MOST_ITEMS = 8;
  private static final int MOST_CHARACTERS = 160;

  /** Lists can hold themselves. */
  private static final int DEEPEST = 3;

  private ShownValue() {}

  static String of(Value value, Evaluator evaluator) {
    return cut(of(value, evaluator, DEEPEST));
  }

  /** So much of a text as a line has room for. */
  static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }

  private static String of(Value value, Evaluator evaluator, int depth) {
    if (value instanceof Scalar.Real real) {
      return Double.toString(real.value());
    }
    if (value instanceof RecordValue record) {
      return depth == 0 ? "[ ... ]" : record(record.scope(), evaluator, depth);
    }
    if (!(value instanceof ListValue list)) {
      return ClassAdPrinter.print(value.expression());
    }
    if (depth == 0) {
      return "{ ... }";
    }
    List<String> items = new ArrayList<>();
    for (Expression each : list.items()) {
      if (items.size() == MOST_ITEMS) {
        items.add("... (" + list.items().size() + ")");
        break;
      }
      items.add(of(evaluator.value(each, list.scope()), evaluator, depth - 1));
    }
    return items.isEmpty() ? "{ }" : "{ " + String.join(", ", items) + " }";
  }

  private static String record(Scope scope, Evaluator evaluator, int depth) {
    return scope.record().all().stream()
        .map(
            each ->
                ClassAdPrinter.name(each.name())
                    + " = "
                    + of(evaluator.value(each.expression(), scope), evaluator, depth - 1))
        .collect(Collectors.joining("; ", "[ ", " ]"));
  }
}
