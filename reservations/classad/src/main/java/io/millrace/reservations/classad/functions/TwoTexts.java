package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.function.BiFunction;

/** A function of two texts. */
final class TwoTexts {

  private TwoTexts() {}

  /**
   * What the function says of both arguments as texts: undefined where one of them is, an error
   * where there are not two or one has no text.
   */
  static Value of(Arguments arguments, BiFunction<String, String, Value> function) {
    if (arguments.count() != 2) {
      return Scalar.ERROR;
    }
    Value one = arguments.value(0);
    Value other = arguments.value(1);
    if (one.is(ClassAdType.UNDEFINED) || other.is(ClassAdType.UNDEFINED)) {
      return Scalar.UNDEFINED;
    }
    String left = Conversion.text(arguments.evaluator(), one);
    String right = Conversion.text(arguments.evaluator(), other);
    return left == null || right == null ? Scalar.ERROR : function.apply(left, right);
  }
}
