package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.Arithmetic;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.Logic;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.Map;

/** Members, sums and comparisons of lists. */
final class ListFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "member", arguments -> member(arguments, Operator.EQUAL),
          "identicalMember", arguments -> member(arguments, Operator.IS),
          "size", TypeFunctions.one(arguments -> size(arguments.value(0))),
          "sum", TypeFunctions.one(arguments -> sum(arguments, false)),
          "avg", TypeFunctions.one(arguments -> sum(arguments, true)),
          "min", TypeFunctions.one(arguments -> extreme(arguments, Operator.LESS)),
          "max", TypeFunctions.one(arguments -> extreme(arguments, Operator.GREATER)),
          "anyCompare", arguments -> compare(arguments, false),
          "allCompare", arguments -> compare(arguments, true));

  private static final Map<String, Operator> COMPARISONS =
      Map.of(
          "<", Operator.LESS,
          "<=", Operator.LESS_OR_EQUAL,
          "==", Operator.EQUAL,
          "!=", Operator.NOT_EQUAL,
          ">", Operator.GREATER,
          ">=", Operator.GREATER_OR_EQUAL,
          "is", Operator.IS,
          "isnt", Operator.ISNT);

  private ListFunctions() {}

  private static boolean holds(Operator operator, Value left, Value right) {
    return Logic.apply(operator, left, right) instanceof Scalar.Truth truth && truth.value();
  }

  private static Value member(Arguments arguments, Operator operator) {
    if (arguments.count() != 2) {
      return Scalar.ERROR;
    }
    Value wanted = arguments.value(0);
    Value of = arguments.value(1);
    boolean identical = operator == Operator.IS;
    if (of.is(ClassAdType.UNDEFINED) || (!identical && wanted.is(ClassAdType.UNDEFINED))) {
      return Scalar.UNDEFINED;
    }
    if (!(of instanceof ListValue list)
        || wanted.is(ClassAdType.LIST)
        || wanted.is(ClassAdType.RECORD)
        || (!identical && wanted.is(ClassAdType.ERROR))) {
      return Scalar.ERROR;
    }
    for (Expression each : list.items()) {
      if (holds(operator, arguments.evaluator().value(each, list.scope()), wanted)) {
        return Scalar.of(true);
      }
    }
    return Scalar.of(false);
  }

  private static Value size(Value value) {
    if (value instanceof ListValue list) {
      return Scalar.of((long) list.items().size());
    }
    if (value instanceof RecordValue record) {
      return Scalar.of((long) record.scope().record().all().size());
    }
    if (value instanceof Scalar.TextValue text) {
      return Scalar.of((long) text.value().length());
    }
    return value.is(ClassAdType.UNDEFINED) ? value : Scalar.ERROR;
  }

  /** What a function of a list gives for anything else; null for a list. */
  private static Value unlessList(Value value) {
    return value.is(ClassAdType.LIST)
        ? null
        : value.is(ClassAdType.UNDEFINED) ? value : Scalar.ERROR;
  }

  private static boolean isNumber(Value value) {
    return value.isNumber() || value.is(ClassAdType.BOOLEAN);
  }

  private static Value sum(Arguments arguments, boolean average) {
    Value of = arguments.value(0);
    if (!(of instanceof ListValue list)) {
      return unlessList(of);
    }
    Value sum = null;
    long count = 0;
    for (Expression each : list.items()) {
      Value item = arguments.evaluator().value(each, list.scope());
      if (item.is(ClassAdType.UNDEFINED)) {
        continue;
      }
      if (!isNumber(item)) {
        return Scalar.ERROR;
      }
      count++;
      sum = sum == null ? item : Logic.apply(Operator.ADD, sum, item);
    }
    if (sum == null) {
      return Scalar.of(0L);
    }
    return average ? Logic.apply(Operator.DIVIDE, sum, Scalar.of((double) count)) : sum;
  }

  private static Value number(Value value, boolean real) {
    return real ? Scalar.of(Arithmetic.real(value)) : Scalar.of(Arithmetic.whole(value));
  }

  private static Value extreme(Arguments arguments, Operator better) {
    Value of = arguments.value(0);
    if (!(of instanceof ListValue list)) {
      return unlessList(of);
    }
    Value best = Scalar.UNDEFINED;
    for (Expression each : list.items()) {
      Value item = arguments.evaluator().value(each, list.scope());
      if (item.is(ClassAdType.UNDEFINED)) {
        continue;
      }
      if (!isNumber(item)) {
        return Scalar.ERROR;
      }
      if (best.is(ClassAdType.UNDEFINED)) {
        best = item;
        continue;
      }
      // What is compared becomes one type, and the result stays so.
      boolean reals = best.is(ClassAdType.REAL) || item.is(ClassAdType.REAL);
      Value candidate = number(item, reals);
      best = number(best, reals);
      best = holds(better, candidate, best) ? candidate : best;
    }
    return best;
  }

  private static Value compare(Arguments arguments, boolean all) {
    if (arguments.count() != 3) {
      return Scalar.ERROR;
    }
    Value sign = arguments.value(0);
    if (!(sign instanceof Scalar.TextValue text)) {
      return sign.is(ClassAdType.UNDEFINED) ? sign : Scalar.ERROR;
    }
    Operator operator = COMPARISONS.get(text.value());
    if (operator == null) {
      return Scalar.ERROR;
    }
    Value of = arguments.value(1);
    if (!(of instanceof ListValue list)) {
      return unlessList(of);
    }
    Value with = arguments.value(2);
    for (Expression each : list.items()) {
      Value item = arguments.evaluator().value(each, list.scope());
      Value result = Logic.apply(operator, item, with);
      if (!(result instanceof Scalar.Truth truth)) {
        // An item that cannot be told ends the search, as in the library.
        return result.is(ClassAdType.UNDEFINED) ? Scalar.of(false) : Scalar.ERROR;
      }
      if (truth.value() != all) {
        return Scalar.of(!all);
      }
    }
    return Scalar.of(all);
  }
}
