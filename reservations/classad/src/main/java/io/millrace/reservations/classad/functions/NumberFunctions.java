package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/** Rounding, powers, multiples and random numbers. */
final class NumberFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "floor", rounded(Math::floor),
          "ceil", rounded(Math::ceil),
          "ceiling", rounded(Math::ceil),
          "round", rounded(Math::rint),
          "pow", NumberFunctions::power,
          "quantize", NumberFunctions::quantize,
          "random", NumberFunctions::random);

  /** A real multiple that is nearer to 0 leaves its argument as it is. */
  private static final double NO_MULTIPLE = 1e-8;

  private NumberFunctions() {}

  private static BuiltIn rounded(DoubleUnaryOperator rounding) {
    return TypeFunctions.one(
        arguments -> {
          Value value = arguments.value(0);
          if (value instanceof Scalar.WholeNumber) {
            return value;
          }
          return Conversion.real(value) instanceof Scalar.Real real
              ? Scalar.of((long) rounding.applyAsDouble(real.value()))
              : Scalar.ERROR;
        });
  }

  private static Value power(Arguments arguments) {
    if (arguments.count() != 2) {
      return Scalar.ERROR;
    }
    Value base = arguments.value(0);
    Value exponent = arguments.value(1);
    if (base instanceof Scalar.WholeNumber whole
        && exponent instanceof Scalar.WholeNumber times
        && times.value() >= 0) {
      return Scalar.of((long) Math.rint(Math.pow(whole.value(), times.value())));
    }
    if (Conversion.real(base) instanceof Scalar.Real real
        && Conversion.real(exponent) instanceof Scalar.Real times) {
      return Scalar.of(Math.pow(real.value(), times.value()));
    }
    return Scalar.ERROR;
  }

  private static Value quantize(Arguments arguments) {
    if (arguments.count() != 2) {
      return Scalar.ERROR;
    }
    Value value = arguments.value(0);
    Value base = arguments.value(1);
    if (!(Conversion.real(value) instanceof Scalar.Real size)) {
      return Scalar.ERROR;
    }
    if (base instanceof ListValue list) {
      base = Scalar.of(0.0);
      for (Expression each : list.items()) {
        base = arguments.evaluator().value(each, list.scope());
        if (!(Conversion.real(base) instanceof Scalar.Real step)) {
          return Scalar.ERROR;
        }
        if (step.value() >= size.value()) {
          return base;
        }
      }
    }
    return multiple(value, size.value(), base);
  }

  private static Value multiple(Value value, double size, Value base) {
    if (!(Conversion.real(base) instanceof Scalar.Real step)) {
      return Scalar.ERROR;
    }
    if (base instanceof Scalar.WholeNumber whole) {
      long by = whole.value();
      if (by == 0) {
        return value;
      }
      return value instanceof Scalar.WholeNumber number
          ? Scalar.of((number.value() + by - 1) / by * by)
          : Scalar.of(Math.ceil(size / by) * by);
    }
    return Math.abs(step.value()) <= NO_MULTIPLE
        ? value
        : Scalar.of(Math.ceil(size / step.value()) * step.value());
  }

  private static Value random(Arguments arguments) {
    if (arguments.count() > 1) {
      return Scalar.ERROR;
    }
    RandomGenerator random = arguments.evaluator().surroundings().random();
    Value below = arguments.count() == 0 ? Scalar.of(1.0) : arguments.value(0);
    if (below instanceof Scalar.WholeNumber whole && whole.value() > 0) {
      return Scalar.of(random.nextLong(whole.value()));
    }
    if (below instanceof Scalar.Real real && real.value() > 0) {
      return Scalar.of(random.nextDouble() * real.value());
    }
    return Scalar.ERROR;
  }
}
