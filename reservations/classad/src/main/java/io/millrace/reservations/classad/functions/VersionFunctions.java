package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.NaturalOrder;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.Map;
import java.util.function.IntPredicate;

/** Comparing versions. */
final class VersionFunctions {

  static final Map<String, BuiltIn> TABLE =
      Map.of(
          "versioncmp", arguments -> compared(arguments, null),
          "versionLE", arguments -> compared(arguments, order -> order <= 0),
          "versionLT", arguments -> compared(arguments, order -> order < 0),
          "versionGE", arguments -> compared(arguments, order -> order >= 0),
          "versionGT", arguments -> compared(arguments, order -> order > 0),
          "versionEQ", arguments -> compared(arguments, order -> order == 0),
          "version_in_range", VersionFunctions::inRange);

  private VersionFunctions() {}

  private static Value compared(Arguments arguments, IntPredicate test) {
    return TwoTexts.of(
        arguments,
        (left, right) -> {
          int order = NaturalOrder.versions(left, right);
          return test == null ? Scalar.of((long) order) : Scalar.of(test.test(order));
        });
  }

  private static Value inRange(Arguments arguments) {
    if (arguments.count() != 3) {
      return Scalar.ERROR;
    }
    String version = Conversion.text(arguments.evaluator(), arguments.value(0));
    Value least = arguments.value(1);
    Value most = arguments.value(2);
    if (least.is(ClassAdType.UNDEFINED) || most.is(ClassAdType.UNDEFINED)) {
      return Scalar.UNDEFINED;
    }
    String from = Conversion.text(arguments.evaluator(), least);
    String to = Conversion.text(arguments.evaluator(), most);
    if (version == null || from == null || to == null) {
      return Scalar.ERROR;
    }
    return Scalar.of(
        NaturalOrder.versions(from, version) <= 0 && NaturalOrder.versions(version, to) <= 0);
  }
}
