package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;

/** The logic of three values, and what operators with two operands make of undefined and error. */
public final class Logic {

  private Logic() {}

  /** Whether a boolean is true, or a number is not 0; null for any other value. */
  public static Boolean truth(Value value) {
    return switch (value.kind()) {
      case BOOLEAN -> ((Scalar.Truth) value).value();
      case INTEGER -> ((Scalar.WholeNumber) value).value() != 0;
      case REAL -> ((Scalar.Real) value).value() != 0;
      default -> null;
    };
  }

  static Value not(Value operand) {
    if (operand.isExceptional()) {
      return operand;
    }
    Boolean truth = truth(operand);
    return truth == null ? Scalar.ERROR : Scalar.of(!truth);
  }

  /** The result, when the left operand alone decides it; else null. */
  static Value decided(Operator operator, Value left) {
    switch (operator) {
      case AND, OR -> {
        boolean decisive = operator == Operator.OR;
        Boolean truth = truth(left);
        if (truth == null && !left.is(ClassAdType.UNDEFINED)) {
          return Scalar.ERROR;
        }
        return truth != null && truth == decisive ? Scalar.of(decisive) : null;
      }
      case ELVIS -> {
        return left.is(ClassAdType.UNDEFINED) ? null : left;
      }
      default -> {
        return null;
      }
    }
  }

  /** Applies an operator whose result the left operand alone does not decide. */
  public static Value apply(Operator operator, Value left, Value right) {
    if (operator.isStrict()) {
      if (left.is(ClassAdType.ERROR) || right.is(ClassAdType.ERROR)) {
        return Scalar.ERROR;
      }
      if (left.isExceptional() || right.isExceptional()) {
        return Scalar.UNDEFINED;
      }
    }
    return switch (operator) {
      case ELVIS -> right;
      case AND, OR -> joined(operator == Operator.OR, left, right);
      case IS, ISNT, EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
          Comparison.compare(operator, left, right);
      default -> Arithmetic.apply(operator, left, right);
    };
  }

  /** The left operand is undefined, or the truth that does not decide. */
  private static Value joined(boolean decisive, Value left, Value right) {
    if (right.isExceptional()) {
      return right;
    }
    Boolean truth = truth(right);
    if (truth == null) {
      return Scalar.ERROR;
    }
    return left.is(ClassAdType.UNDEFINED) && truth != decisive
        ? Scalar.UNDEFINED
        : Scalar.of(truth);
  }
}
