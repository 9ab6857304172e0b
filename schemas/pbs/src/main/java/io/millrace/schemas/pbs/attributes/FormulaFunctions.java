package io.millrace.schemas.pbs.attributes;

import java.util.Map;
import java.util.TreeMap;

/**
 * Functions and constants of sort formulas: those of Python's {@code math} whose result is one
 * number.
 */
final class FormulaFunctions {

  /** A function of a fixed number of arguments; the result is NaN where Python raises an error. */
  interface Function {
    double value(double[] arguments);
  }

  /** A function of one number. */
  private interface Simple {
    double value(double argument);
  }

  private static final Map<String, Double> CONSTANTS =
      Map.of("pi", Math.PI, "e", Math.E, "tau", 2 * Math.PI);

  private static final Map<String, Simple> OF_ONE =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("abs", Math::abs),
              Map.entry("acos", Math::acos),
              Map.entry("asin", Math::asin),
              Map.entry("atan", Math::atan),
              Map.entry("ceil", Math::ceil),
              Map.entry("cos", Math::cos),
              Map.entry("cosh", Math::cosh),
              Map.entry("degrees", Math::toDegrees),
              Map.entry("exp", Math::exp),
              Map.entry("fabs", Math::abs),
              Map.entry("floor", Math::floor),
              Map.entry("log", Math::log),
              Map.entry("log10", Math::log10),
              Map.entry("log1p", Math::log1p),
              Map.entry("radians", Math::toRadians),
              Map.entry("sin", Math::sin),
              Map.entry("sinh", Math::sinh),
              Map.entry("sqrt", Math::sqrt),
              Map.entry("tan", Math::tan),
              Map.entry("tanh", Math::tanh),
              Map.entry("trunc", it -> it < 0 ? Math.ceil(it) : Math.floor(it))));

  private static final Map<String, Function> OF_TWO =
      new TreeMap<>(
          Map.of(
              "atan2", it -> Math.atan2(it[0], it[1]),
              "copysign", it -> Math.copySign(it[0], it[1]),
              "fmod", it -> it[0] % it[1],
              "hypot", it -> Math.hypot(it[0], it[1]),
              "log", it -> Math.log(it[0]) / Math.log(it[1]),
              "pow", it -> SortFormula.power(it[0], it[1])));

  private FormulaFunctions() {}

  /** Value of a constant; null for an unknown name. */
  static Double constant(String name) {
    return CONSTANTS.get(name);
  }

  /** The function with this name and number of arguments; null where there is none. */
  static Function find(String name, int arguments) {
    if (arguments == 1 && OF_ONE.containsKey(name)) {
      Simple function = OF_ONE.get(name);
      return it -> finite(function.value(it[0]));
    }
    if (arguments == 2 && OF_TWO.containsKey(name)) {
      Function function = OF_TWO.get(name);
      return it -> finite(function.value(it));
    }
    if (arguments > 1 && name.equals("max")) {
      return it -> most(it, 1);
    }
    return arguments > 1 && name.equals("min") ? it -> -most(it, -1) : null;
  }

  static String names() {
    return String.join(", ", OF_ONE.keySet())
        + " of one, "
        + String.join(", ", OF_TWO.keySet())
        + " of two, max and min of several";
  }

  private static double most(double[] of, int sign) {
    double most = sign * of[0];
    for (double each : of) {
      most = Math.max(most, sign * each);
    }
    return most;
  }

  /** Turns an infinite result, such as the logarithm of 0, into an error too. */
  private static double finite(double value) {
    return Double.isInfinite(value) ? Double.NaN : value;
  }
}
