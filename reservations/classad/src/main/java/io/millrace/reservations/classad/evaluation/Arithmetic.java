package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;

/** Arithmetic of numbers and times, and operators on bits. Integers of 64 bits wrap around. */
public final class Arithmetic {

  private Arithmetic() {}

  /** A length of time; error when it is no finite number. */
  public static Value relative(double seconds) {
    // Adding 0.0 makes 0.0 of -0.0, so that they are identical.
    return Double.isFinite(seconds) ? new Scalar.RelativeTime(seconds + 0.0) : Scalar.ERROR;
  }

  /** Of a boolean or an integer. */
  public static long whole(Value value) {
    return value instanceof Scalar.Truth truth
        ? (truth.value() ? 1 : 0)
        : ((Scalar.WholeNumber) value).value();
  }

  /** Of a boolean, an integer or a real. */
  public static double real(Value value) {
    return value instanceof Scalar.Real real ? real.value() : whole(value);
  }

  static Value plus(Value operand) {
    return switch (operand.kind()) {
      case INTEGER, REAL, RELATIVE_TIME, UNDEFINED -> operand;
      default -> Scalar.ERROR;
    };
  }

  static Value minus(Value operand) {
    return switch (operand.kind()) {
      case INTEGER -> Scalar.of(-((Scalar.WholeNumber) operand).value());
      case REAL -> Scalar.of(-((Scalar.Real) operand).value());
      case RELATIVE_TIME -> relative(-((Scalar.RelativeTime) operand).seconds());
      case UNDEFINED -> operand;
      default -> Scalar.ERROR;
    };
  }

  static Value bitNot(Value operand) {
    return switch (operand.kind()) {
      case INTEGER -> Scalar.of(~((Scalar.WholeNumber) operand).value());
      case UNDEFINED -> operand;
      default -> Scalar.ERROR;
    };
  }

  /** Applies an operator to two operands that are neither undefined nor error. */
  static Value apply(Operator operator, Value left, Value right) {
    boolean bits = operator.level() < Operator.EQUAL.level() || operator.level() == 8;
    if (bits) {
      return left.is(ClassAdType.INTEGER) && right.is(ClassAdType.INTEGER)
          ? Scalar.of(bits(operator, whole(left), whole(right)))
          : Scalar.ERROR;
    }
    boolean leftNumber = left.isNumber() || left.is(ClassAdType.BOOLEAN);
    boolean rightNumber = right.isNumber() || right.is(ClassAdType.BOOLEAN);
    if (!leftNumber || !rightNumber) {
      return times(operator, left, right);
    }
    if (left.is(ClassAdType.REAL) || right.is(ClassAdType.REAL)) {
      return reals(operator, real(left), real(right));
    }
    return wholes(operator, whole(left), whole(right));
  }

  private static Value wholes(Operator operator, long left, long right) {
    switch (operator) {
      case ADD:
        return Scalar.of(left + right);
      case SUBTRACT:
        return Scalar.of(left - right);
      case MULTIPLY:
        return Scalar.of(left * right);
      case DIVIDE:
        if (left == Long.MIN_VALUE && right == -1) {
          return Scalar.of(Long.MAX_VALUE);
        }
        return right == 0 ? Scalar.ERROR : Scalar.of(left / right);
      default:
        return right == 0 ? Scalar.ERROR : Scalar.of(left % right);
    }
  }

  private static Value reals(Operator operator, double left, double right) {
    if (operator == Operator.MODULUS) {
      return Scalar.ERROR;
    }
    double result =
        switch (operator) {
          case ADD -> left + right;
          case SUBTRACT -> left - right;
          case MULTIPLY -> left * right;
          default -> left / right;
        };
    return result == Double.POSITIVE_INFINITY ? Scalar.ERROR : Scalar.of(result);
  }

  /** Shifts count by the lower six bits of the right operand, as machines do. */
  private static long bits(Operator operator, long left, long right) {
    return switch (operator) {
      case BIT_OR -> left | right;
      case BIT_AND -> left & right;
      case BIT_XOR -> left ^ right;
      case LEFT_SHIFT -> left << right;
      case UNSIGNED_RIGHT_SHIFT -> left >>> right;
      default ->
          // A negative number is filled up with ones, however far it is shifted.
          left >= 0 ? left >> right : left >> Math.max(0, Math.min(63, right));
    };
  }

  private static Value times(Operator operator, Value left, Value right) {
    return switch (operator) {
      case ADD -> sum(left, right);
      case SUBTRACT -> difference(left, right);
      case MULTIPLY, DIVIDE -> scaled(operator == Operator.MULTIPLY, left, right);
      default -> Scalar.ERROR;
    };
  }

  private static Value sum(Value left, Value right) {
    if (left instanceof Scalar.AbsoluteTime from && right instanceof Scalar.RelativeTime by) {
      return later(from, by.seconds());
    }
    if (left instanceof Scalar.RelativeTime by && right instanceof Scalar.AbsoluteTime from) {
      return later(from, by.seconds());
    }
    if (left instanceof Scalar.RelativeTime one && right instanceof Scalar.RelativeTime other) {
      return relative(one.seconds() + other.seconds());
    }
    return Scalar.ERROR;
  }

  private static Value difference(Value left, Value right) {
    if (left instanceof Scalar.AbsoluteTime to && right instanceof Scalar.AbsoluteTime from) {
      return relative((double) (to.seconds() - from.seconds()));
    }
    if (left instanceof Scalar.AbsoluteTime from && right instanceof Scalar.RelativeTime by) {
      return later(from, -by.seconds());
    }
    if (left instanceof Scalar.RelativeTime one && right instanceof Scalar.RelativeTime other) {
      return relative(one.seconds() - other.seconds());
    }
    return Scalar.ERROR;
  }

  /** Parts of a second are cut off: a moment has none. */
  private static Value later(Scalar.AbsoluteTime from, double by) {
    return new Scalar.AbsoluteTime(from.seconds() + (long) by, from.offset_s());
  }

  private static Value scaled(boolean multiply, Value left, Value right) {
    if (left instanceof Scalar.RelativeTime time && right.isNumber()) {
      double by = real(right);
      return relative(multiply ? time.seconds() * by : time.seconds() / by);
    }
    if (multiply && left.isNumber() && right instanceof Scalar.RelativeTime time) {
      return relative(real(left) * time.seconds());
    }
    return Scalar.ERROR;
  }
}
