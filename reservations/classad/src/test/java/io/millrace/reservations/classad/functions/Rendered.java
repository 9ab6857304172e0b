package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.tree.Expression.RecordExpression.NamedExpression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.stream.Collectors;

/** Values as the tables of tests have them: lists and records with their parts evaluated. */
public final class Rendered {

  /** Lists and records can hold themselves. */
  private static final int DEEPEST = 6;

  private Rendered() {}

  public static String of(Value value, Evaluator evaluator) {
    return of(value, evaluator, DEEPEST);
  }

  private static String of(Value value, Evaluator evaluator, int depth) {
    if (depth == 0) {
      return "...";
    }
    if (value instanceof Scalar.Real real) {
      return Double.toString(real.value());
    }
    if (value instanceof ListValue list) {
      return list.items().stream()
          .map(each -> of(evaluator.value(each, list.scope()), evaluator, depth - 1))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof RecordValue record) {
      return record.scope().record().all().stream()
          .map(each -> of(each, record, evaluator, depth - 1))
          .collect(Collectors.joining("; ", "[", "]"));
    }
    return ClassAdPrinter.print(value.expression());
  }

  private static String of(NamedExpression each, RecordValue in, Evaluator evaluator, int depth) {
    Value value = evaluator.value(each.expression(), in.scope());
    return each.name() + " = " + of(value, evaluator, depth);
  }
}
