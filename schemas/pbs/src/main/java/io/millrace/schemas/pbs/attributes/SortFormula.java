package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * PBS's {@code job_sort_formula}: jobs with a higher value come first. Numbers and names with
 * {@code + - * / // % **}, parentheses, and functions of Python's {@code math}, with the order of
 * operations and the meaning that Python gives them. Immutable.
 */
public final class SortFormula {

  /** Names that stand for properties of the job or queue rather than for resources. */
  public static final String QUEUE_PRIORITY = "queue_priority";

  public static final String JOB_PRIORITY = "job_priority";

  /** Deepest nesting; each level takes some of the stack. */
  private static final int DEPTH_MAX = 100;

  private static final int LENGTH_MAX = 4096;

  /** A text is not a formula; the message says why. */
  public static final class BadFormula extends Exception {
    private static final long serialVersionUID = 1L;

    BadFormula(String why) {
      super(why);
    }
  }

  /** A compiled part of a formula, evaluated with the values of the names. */
  private interface FormulaTerm {
    double value(double[] values);
  }

  private final List<String> names = new ArrayList<>();
  private final String text;
  private final FormulaTerm whole;

  private int at;
  private int depth;

  private SortFormula(String text) throws BadFormula {
    this.text = text;
    this.whole = sum();
    if (at < text.length()) {
      throw wrong();
    }
  }

  /**
   * Reads a formula.
   *
   * @throws BadFormula when it is none; the message says where
   */
  public static SortFormula of(String text) throws BadFormula {
    if (text.length() > LENGTH_MAX) {
      throw new BadFormula("over " + LENGTH_MAX + " characters");
    }
    return new SortFormula(text.replaceAll("\\s", " ").stripTrailing());
  }

  /** The formula {@code 0}. */
  public static SortFormula zero() {
    try {
      return of("0");
    } catch (BadFormula e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Names whose values the formula needs, each once; {@link #value} takes the values in this order.
   */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * Evaluates the formula.
   *
   * @param values by the order of {@link #names}
   * @return 0 where Python would raise an error, such as for a division by zero, as with PBS
   */
  public double value(double[] values) {
    double value = whole.value(values);
    return Double.isFinite(value) ? value : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SortFormula formula && formula.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private FormulaTerm sum() throws BadFormula {
    if (++depth > DEPTH_MAX) {
      throw new BadFormula("more than " + DEPTH_MAX + " levels of parentheses and signs");
    }
    FormulaTerm left = product();
    while (true) {
      FormulaTerm first = left;
      if (takes("+")) {
        FormulaTerm second = product();
        left = values -> first.value(values) + second.value(values);
      } else if (takes("-")) {
        FormulaTerm second = product();
        left = values -> first.value(values) - second.value(values);
      } else {
        depth--;
        return left;
      }
    }
  }

  private FormulaTerm product() throws BadFormula {
    FormulaTerm left = signed();
    while (true) {
      FormulaTerm first = left;
      if (takes("//")) {
        FormulaTerm second = signed();
        left = values -> floor(first.value(values), second.value(values));
      } else if (takes("/")) {
        FormulaTerm second = signed();
        left = values -> divide(first.value(values), second.value(values));
      } else if (takes("%")) {
        FormulaTerm second = signed();
        left = values -> remainder(first.value(values), second.value(values));
      } else if (takes("*")) {
        FormulaTerm second = signed();
        left = values -> first.value(values) * second.value(values);
      } else {
        return left;
      }
    }
  }

  /** A sign binds less tightly than a power on its right: {@code -2 ** 2} is -4. */
  private FormulaTerm signed() throws BadFormula {
    if (takes("+")) {
      return deeper();
    }
    if (takes("-")) {
      FormulaTerm of = deeper();
      return values -> -of.value(values);
    }
    return power();
  }

  private FormulaTerm deeper() throws BadFormula {
    if (++depth > DEPTH_MAX) {
      throw new BadFormula("more than " + DEPTH_MAX + " levels of parentheses and signs");
    }
    FormulaTerm of = signed();
    depth--;
    return of;
  }

  private FormulaTerm power() throws BadFormula {
    FormulaTerm base = atom();
    if (!takes("**")) {
      return base;
    }
    FormulaTerm exponent = deeper();
    return values -> power(base.value(values), exponent.value(values));
  }

  private FormulaTerm atom() throws BadFormula {
    if (takes("(")) {
      FormulaTerm inner = sum();
      close();
      return inner;
    }
    char first = at < text.length() ? text.charAt(at) : ' ';
    if (Character.isDigit(first) || first == '.') {
      return number();
    }
    if (!isLetter(first)) {
      throw wrong();
    }
    int begin = at;
    while (at < text.length()
        && (isLetter(text.charAt(at)) || Character.isDigit(text.charAt(at)))) {
      at++;
    }
    String name = text.substring(begin, at);
    if (takes("(")) {
      return call(name);
    }
    if (FormulaFunctions.constant(name) != null) {
      double value = FormulaFunctions.constant(name);
      return values -> value;
    }
    if (!names.contains(name)) {
      names.add(name);
    }
    int index = names.indexOf(name);
    return values -> values[index];
  }

  private FormulaTerm call(String name) throws BadFormula {
    List<FormulaTerm> arguments = new ArrayList<>();
    do {
      arguments.add(sum());
    } while (takes(","));
    close();
    FormulaFunctions.Function function = FormulaFunctions.find(name, arguments.size());
    if (function == null) {
      throw new BadFormula(
          "there is no function "
              + name
              + " of "
              + arguments.size()
              + "; there are "
              + FormulaFunctions.names());
    }
    FormulaTerm[] each = arguments.toArray(FormulaTerm[]::new);
    return values -> {
      double[] given = new double[each.length];
      for (int i = 0; i < each.length; i++) {
        given[i] = each[i].value(values);
      }
      return function.value(given);
    };
  }

  private FormulaTerm number() throws BadFormula {
    int begin = at;
    digits();
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      digits();
    }
    if (at < text.length() && Character.toLowerCase(text.charAt(at)) == 'e') {
      at++;
      if (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      digits();
    }
    try {
      double value = Double.parseDouble(text.substring(begin, at).toLowerCase(Locale.ROOT));
      if (Double.isFinite(value) && (at == text.length() || !isLetter(text.charAt(at)))) {
        return values -> value;
      }
    } catch (NumberFormatException e) {
      at = begin; // and told below
    }
    throw wrong();
  }

  private void digits() {
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
  }

  private void close() throws BadFormula {
    if (!takes(")")) {
      throw wrong();
    }
  }

  /**
   * Skips the operator if it comes next, and says whether it did. A * that is part of ** does not
   * count.
   */
  private boolean takes(String sign) {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    boolean there = text.startsWith(sign, at) && !(sign.equals("*") && text.startsWith("**", at));
    at += there ? sign.length() : 0;
    return there;
  }

  private BadFormula wrong() {
    return new BadFormula(
        at < text.length() ? "at '" + text.substring(at) + "'" : "it ends too early");
  }

  private static boolean isLetter(char c) {
    return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static double divide(double of, double by) {
    return by == 0 ? Double.NaN : of / by;
  }

  /** Python's //: the quotient without the remainder, so that 1 // 0.1 is 9. */
  private static double floor(double of, double by) {
    return Math.rint(divide(of - remainder(of, by), by));
  }

  /** Python's %: the result has the sign of the divisor. */
  private static double remainder(double of, double by) {
    double rest = by == 0 ? Double.NaN : of % by;
    return rest != 0 && (rest < 0) != (by < 0) ? rest + by : rest;
  }

  /**
   * Python's **, except that an earlier error stays an error: in Java anything to the power 0 is 1.
   */
  static double power(double base, double exponent) {
    boolean error = Double.isNaN(base) || base == 0 && exponent < 0;
    return error ? Double.NaN : Math.pow(base, exponent);
  }
}
