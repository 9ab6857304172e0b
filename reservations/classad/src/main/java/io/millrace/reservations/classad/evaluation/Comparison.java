package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;

/** Comparing values: {@code ==} by what they mean, {@code is} by kind and value. */
final class Comparison {

  private Comparison() {}

  static Value compare(Operator operator, Value left, Value right) {
    if (operator == Operator.IS || operator == Operator.ISNT) {
      return identical(left, right, operator == Operator.IS);
    }
    if (isNumeric(left) && isNumeric(right)) {
      if (left.is(ClassAdType.REAL) || right.is(ClassAdType.REAL)) {
        return reals(operator, Arithmetic.real(left), Arithmetic.real(right));
      }
      return ordered(operator, Long.compare(Arithmetic.whole(left), Arithmetic.whole(right)));
    }
    if (left.kind() != right.kind()) {
      return Scalar.ERROR;
    }
    return switch (left.kind()) {
      case STRING ->
          ordered(
              operator,
              NaturalOrder.withoutCase(
                  ((Scalar.TextValue) left).value(), ((Scalar.TextValue) right).value()));
      case ABSOLUTE_TIME ->
          ordered(
              operator,
              Long.compare(
                  ((Scalar.AbsoluteTime) left).seconds(), ((Scalar.AbsoluteTime) right).seconds()));
      case RELATIVE_TIME ->
          reals(
              operator,
              ((Scalar.RelativeTime) left).seconds(),
              ((Scalar.RelativeTime) right).seconds());
      default -> Scalar.ERROR;
    };
  }

  private static boolean isNumeric(Value value) {
    return value.isNumber() || value.is(ClassAdType.BOOLEAN);
  }

  private static Value identical(Value left, Value right, boolean wanted) {
    if (left.kind() != right.kind()) {
      return Scalar.of(!wanted);
    }
    return switch (left.kind()) {
      case LIST, RECORD -> Scalar.ERROR;
      case REAL ->
          Scalar.of((((Scalar.Real) left).value() == ((Scalar.Real) right).value()) == wanted);
      default -> Scalar.of(left.equals(right) == wanted);
    };
  }

  private static Value ordered(Operator operator, int order) {
    return Scalar.of(
        switch (operator) {
          case EQUAL -> order == 0;
          case NOT_EQUAL -> order != 0;
          case LESS -> order < 0;
          case LESS_OR_EQUAL -> order <= 0;
          case GREATER -> order > 0;
          default -> order >= 0;
        });
  }

  /** Not by an order: what is not a number is neither less, nor equal, nor greater. */
  private static Value reals(Operator operator, double left, double right) {
    return Scalar.of(
        switch (operator) {
          case EQUAL -> left == right;
          case NOT_EQUAL -> left != right;
          case LESS -> left < right;
          case LESS_OR_EQUAL -> left <= right;
          case GREATER -> left > right;
          default -> left >= right;
        });
  }
}
