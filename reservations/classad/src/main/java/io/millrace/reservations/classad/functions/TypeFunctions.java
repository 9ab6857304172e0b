package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.Logic;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.HashMap;
import java.util.Map;

/** What kind a value is, and values of one kind made of another. */
final class TypeFunctions {

  static final Map<String, BuiltIn> TABLE = table();

  private TypeFunctions() {}

  private static Map<String, BuiltIn> table() {
    Map<String, BuiltIn> table = new HashMap<>();
    table.put("isUndefined", is(ClassAdType.UNDEFINED));
    table.put("isError", is(ClassAdType.ERROR));
    table.put("isString", is(ClassAdType.STRING));
    table.put("isInteger", is(ClassAdType.INTEGER));
    table.put("isReal", is(ClassAdType.REAL));
    table.put("isList", is(ClassAdType.LIST));
    table.put("isClassAd", is(ClassAdType.RECORD));
    table.put("isBoolean", is(ClassAdType.BOOLEAN));
    table.put("isAbsTime", is(ClassAdType.ABSOLUTE_TIME));
    table.put("isRelTime", is(ClassAdType.RELATIVE_TIME));
    table.put("int", one(arguments -> Conversion.whole(arguments.value(0))));
    table.put("real", one(arguments -> Conversion.real(arguments.value(0))));
    table.put(
        "string", one(arguments -> Conversion.string(arguments.evaluator(), arguments.value(0))));
    table.put("bool", one(arguments -> bool(arguments.value(0))));
    table.put("ifThenElse", TypeFunctions::ifThenElse);
    // The library writes what it evaluated into its log; here explain shows each attribute.
    table.put("debug", one(arguments -> arguments.value(0)));
    return Map.copyOf(table);
  }

  /** A function of one argument. */
  static BuiltIn one(BuiltIn function) {
    return arguments -> arguments.count() == 1 ? function.apply(arguments) : Scalar.ERROR;
  }

  private static BuiltIn is(ClassAdType kind) {
    return one(arguments -> Scalar.of(arguments.value(0).is(kind)));
  }

  private static Value bool(Value value) {
    return switch (value.kind()) {
      case UNDEFINED, BOOLEAN -> value;
      case INTEGER, REAL -> Scalar.of(Logic.truth(value));
      case RELATIVE_TIME -> Scalar.of((long) ((Scalar.RelativeTime) value).seconds() != 0);
      case STRING -> {
        String text = Conversion.lower(((Scalar.TextValue) value).value());
        yield text.equals("true") || text.equals("false")
            ? Scalar.of(text.equals("true"))
            : Scalar.UNDEFINED;
      }
      default -> Scalar.ERROR;
    };
  }

  private static Value ifThenElse(Arguments arguments) {
    if (arguments.count() != 3) {
      return Scalar.ERROR;
    }
    Value condition = arguments.value(0);
    if (condition.isExceptional()) {
      return condition;
    }
    Boolean truth = Logic.truth(condition);
    return truth == null ? Scalar.ERROR : arguments.value(truth ? 1 : 2);
  }
}
