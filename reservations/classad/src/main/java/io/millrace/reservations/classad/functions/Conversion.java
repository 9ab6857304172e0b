package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.text.TimeText;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code int()}, {@code real()} and {@code string()} make of values. */
final class Conversion {

  private static final Pattern NUMBER =
      Pattern.compile(
          "\\s*([+-]?)(0[xX]([0-9a-fA-F]{1,15})|(inf(?:inity)?)|(nan)|"
              + "((?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?))",
          Pattern.CASE_INSENSITIVE);

  /** What it costs to print a number or a time. */
  private static final int PRINTED_STEPS = 20;

  private Conversion() {}

  /** The number at the beginning of a string, as the functions of C read it; null without one. */
  static Double number(String text) {
    Matcher found = NUMBER.matcher(text);
    if (!found.lookingAt()) {
      return null;
    }
    double size;
    if (found.group(3) != null) {
      size = Long.parseLong(found.group(3), 16);
    } else if (found.group(4) != null) {
      size = Double.POSITIVE_INFINITY;
    } else if (found.group(5) != null) {
      size = Double.NaN;
    } else {
      size = Double.parseDouble(found.group(6));
    }
    return found.group(1).equals("-") ? -size : size;
  }

  /** An integer, undefined or error. */
  static Value whole(Value value) {
    return switch (value.kind()) {
      case INTEGER, UNDEFINED -> value;
      case BOOLEAN -> Scalar.of(((Scalar.Truth) value).value() ? 1L : 0L);
      case REAL -> Scalar.of((long) ((Scalar.Real) value).value());
      case ABSOLUTE_TIME -> Scalar.of(((Scalar.AbsoluteTime) value).seconds());
      case RELATIVE_TIME -> Scalar.of((long) ((Scalar.RelativeTime) value).seconds());
      case STRING -> {
        Double number = number(((Scalar.TextValue) value).value());
        yield number == null ? Scalar.ERROR : Scalar.of((long) number.doubleValue());
      }
      default -> Scalar.ERROR;
    };
  }

  /** A real, undefined or error. */
  static Value real(Value value) {
    return switch (value.kind()) {
      case REAL, UNDEFINED -> value;
      case BOOLEAN -> Scalar.of(((Scalar.Truth) value).value() ? 1.0 : 0.0);
      case INTEGER -> Scalar.of((double) ((Scalar.WholeNumber) value).value());
      case ABSOLUTE_TIME -> Scalar.of((double) ((Scalar.AbsoluteTime) value).seconds());
      case RELATIVE_TIME -> Scalar.of((double) (long) ((Scalar.RelativeTime) value).seconds());
      case STRING -> {
        Double number = number(((Scalar.TextValue) value).value());
        yield number == null ? Scalar.ERROR : Scalar.of(number.doubleValue());
      }
      default -> Scalar.ERROR;
    };
  }

  /** A string, undefined or error. */
  static Value string(Evaluator evaluator, Value value) {
    if (!value.is(Value.ClassAdType.STRING)) {
      evaluator.charge(PRINTED_STEPS);
    }
    return switch (value.kind()) {
      case STRING, UNDEFINED, ERROR -> value;
      case REAL -> Scalar.of(ClassAdPrinter.real(((Scalar.Real) value).value()));
      case ABSOLUTE_TIME -> Scalar.of(TimeText.print((Scalar.AbsoluteTime) value));
      case RELATIVE_TIME ->
          Scalar.of(TimeText.print((double) (long) ((Scalar.RelativeTime) value).seconds()));
      default -> evaluator.printed(value.expression());
    };
  }

  /** The text of a value that is a string or converts to one; null for undefined and error. */
  static String text(Evaluator evaluator, Value value) {
    return string(evaluator, value) instanceof Scalar.TextValue text ? text.value() : null;
  }

  static String upper(String text) {
    return changed(text, 'a', 'z', -32);
  }

  static String lower(String text) {
    return changed(text, 'A', 'Z', 32);
  }

  private static String changed(String text, char from, char to, int by) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      char c = out.charAt(i);
      if (c >= from && c <= to) {
        out.setCharAt(i, (char) (c + by));
      }
    }
    return out.toString();
  }

  /** A whole number with at least {@code width} digits. */
  static String padded(long number, int width) {
    String digits = Long.toString(Math.abs(number));
    String zeros = "0".repeat(Math.max(0, width - digits.length() - (number < 0 ? 1 : 0)));
    return (number < 0 ? "-" : "") + zeros + digits;
  }
}
