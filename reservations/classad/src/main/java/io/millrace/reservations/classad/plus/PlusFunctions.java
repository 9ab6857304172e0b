package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.Arithmetic;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** The functions that PluS adds to the language. */
final class PlusFunctions {

  /** Moments beyond are not asked for, in seconds from 1970. */
  private static final long FURTHEST_S = 1L << 40;

  private PlusFunctions() {}

  static Map<String, BuiltIn> table(Utilisation utilisation) {
    return Map.of(
        "linear",
        arguments -> between(arguments, part -> part),
        "quadratic",
        arguments -> between(arguments, part -> part * part),
        ReservableRule.USED,
        arguments -> used(arguments, utilisation));
  }

  /** A number, or a time in seconds; null for anything else. */
  private static Double number(Value value) {
    return switch (value.kind()) {
      case INTEGER -> (double) ((Scalar.WholeNumber) value).value();
      case REAL -> ((Scalar.Real) value).value();
      case RELATIVE_TIME -> ((Scalar.RelativeTime) value).seconds();
      case ABSOLUTE_TIME -> (double) ((Scalar.AbsoluteTime) value).seconds();
      default -> null;
    };
  }

  /**
   * {@code f(x, x1, y1, x2, y2)}: y1 at x1, y2 at x2, and between and beyond them y1 + (y2 - y1) *
   * shape((x - x1) / (x2 - x1)). So the vertex of the quadratic function is at x1.
   */
  private static Value between(Arguments arguments, DoubleUnaryOperator shape) {
    if (arguments.count() != 5) {
      return Scalar.ERROR;
    }
    double[] numbers = new double[5];
    boolean undefined = false;
    for (int i = 0; i < 5; i++) {
      Value value = arguments.value(i);
      Double number = number(value);
      if (number == null && !value.is(ClassAdType.UNDEFINED)) {
        return Scalar.ERROR;
      }
      undefined |= number == null;
      numbers[i] = number == null ? 0 : number;
    }
    if (undefined) {
      return Scalar.UNDEFINED;
    }
    double part = (numbers[0] - numbers[1]) / (numbers[3] - numbers[1]);
    double result = numbers[2] + (numbers[4] - numbers[2]) * shape.applyAsDouble(part);
    return Double.isFinite(result) ? Scalar.of(result) : Scalar.ERROR;
  }

  private static Value used(Arguments arguments, Utilisation utilisation) {
    if (arguments.count() != 3) {
      return Scalar.ERROR;
    }
    Value owner = arguments.value(0);
    Value from = arguments.value(1);
    Value to = arguments.value(2);
    if (owner.is(ClassAdType.UNDEFINED)
        || from.is(ClassAdType.UNDEFINED)
        || to.is(ClassAdType.UNDEFINED)) {
      return Scalar.UNDEFINED;
    }
    if (!(owner instanceof Scalar.TextValue name)
        || !(from instanceof Scalar.AbsoluteTime first)
        || !(to instanceof Scalar.AbsoluteTime last)) {
      return Scalar.ERROR;
    }
    Utilisation.ReservationSum sum = utilisation.of(name.value(), moment(first), moment(last));
    return ListValue.of(
        List.of(
            Scalar.of(sum.reservations()),
            Arithmetic.relative(sum.duration_s()),
            Scalar.of(sum.nodeHours())));
  }

  private static Instant moment(Scalar.AbsoluteTime time) {
    return Instant.ofEpochSecond(Math.max(-FURTHEST_S, Math.min(FURTHEST_S, time.seconds())));
  }
}
