package io.millrace.reservations.classad.text;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Prints trees in the new form, in one line, as HTCondor's library does. */
public final class ClassAdPrinter implements Expression.ExpressionVisitor<StringBuilder, Void> {

  private static final Set<String> RESERVED =
      Set.of("error", "false", "is", "isnt", "parent", "true", "undefined");

  private final int longest;

  private ClassAdPrinter(int longest) {
    this.longest = longest;
  }

  /** A tree that was parsed is printed to a text that is parsed to the same tree. */
  public static String print(Expression expression) {
    return print(expression, Integer.MAX_VALUE);
  }

  /**
   * The same, for lists that were computed: their parts may be shared, and the text be far longer
   * than what it was made of.
   *
   * @throws TooLong beyond about {@code longest} characters
   */
  public static String print(Expression expression, int longest) {
    StringBuilder out = new StringBuilder();
    expression.accept(new ClassAdPrinter(longest), out);
    return out.toString();
  }

  /** A text that is longer than the caller wants. */
  public static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLong() {
      super("the text is too long", null, false, false);
    }
  }

  /** A name as it stands in a text: in apostrophes where it needs them. */
  public static String name(String name) {
    if (name.matches("[A-Za-z_][A-Za-z_0-9]*")
        && !RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      return name;
    }
    StringBuilder out = new StringBuilder("'");
    Escapes.append(out, name, '\'');
    return out.append("'").toString();
  }

  /** A real with 16 digits, or 17 where 16 are not enough to read it again. */
  public static String real(double value) {
    if (value == 0) {
      return 1 / value < 0 ? "-0.0" : "0.0";
    }
    if (Double.isNaN(value)) {
      return "real(\"NaN\")";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "real(\"INF\")" : "real(\"-INF\")";
    }
    String usual = String.format(Locale.ROOT, "%1.15E", value);
    return Double.parseDouble(usual) == value ? usual : String.format(Locale.ROOT, "%1.16E", value);
  }

  @Override
  public Void literal(Expression.Literal node, StringBuilder out) {
    if (out.length() > longest) {
      throw new TooLong();
    }
    Value value = node.value();
    switch (value.kind()) {
      case BOOLEAN -> out.append(((Scalar.Truth) value).value());
      case INTEGER -> out.append(((Scalar.WholeNumber) value).value());
      case REAL -> {
        double real = ((Scalar.Real) value).value();
        // A literal can be larger than a real holds; this reads so again.
        out.append(Double.isInfinite(real) ? (real > 0 ? "1E999" : "-1E999") : real(real));
      }
      case STRING -> {
        out.append('"');
        Escapes.append(out, ((Scalar.TextValue) value).value(), '"');
        out.append('"');
      }
      case ABSOLUTE_TIME ->
          out.append("absTime(\"")
              .append(TimeText.print((Scalar.AbsoluteTime) value))
              .append("\")");
      case RELATIVE_TIME ->
          out.append("relTime(\"")
              .append(TimeText.print(((Scalar.RelativeTime) value).seconds()))
              .append("\")");
      case LIST, RECORD -> value.expression().accept(this, out);
      default -> out.append(value.kind().word());
    }
    return null;
  }

  @Override
  public Void reference(Expression.Reference node, StringBuilder out) {
    if (node.base() != null) {
      node.base().accept(this, out);
      if (node.base() instanceof Expression.Literal) {
        // "5.a" would be a number that is cut off.
        out.append(' ');
      }
    }
    if (node.base() != null || node.absolute()) {
      out.append('.');
    }
    out.append(name(node.name()));
    return null;
  }

  @Override
  public Void prefix(Expression.Prefix node, StringBuilder out) {
    out.append(' ').append(node.operator().symbol());
    int place = out.length();
    node.operand().accept(this, out);
    // "-5" would be a literal, and "- 5" is the operator before one.
    if (node.operator() == Operator.MINUS && Character.isDigit(out.charAt(place))) {
      out.insert(place, ' ');
    }
    return null;
  }

  @Override
  public Void infix(Expression.Infix node, StringBuilder out) {
    node.left().accept(this, out);
    out.append(' ').append(node.operator().symbol()).append(' ');
    node.right().accept(this, out);
    return null;
  }

  @Override
  public Void conditional(Expression.Conditional node, StringBuilder out) {
    node.condition().accept(this, out);
    out.append(" ? ");
    node.then().accept(this, out);
    out.append(" : ");
    node.otherwise().accept(this, out);
    return null;
  }

  @Override
  public Void subscript(Expression.Subscript node, StringBuilder out) {
    node.of().accept(this, out);
    out.append('[');
    node.index().accept(this, out);
    out.append(']');
    return null;
  }

  @Override
  public Void parentheses(Expression.Parentheses node, StringBuilder out) {
    out.append('(');
    node.inner().accept(this, out);
    out.append(')');
    return null;
  }

  @Override
  public Void call(Expression.FunctionCall node, StringBuilder out) {
    out.append(name(node.name())).append('(');
    items(node.arguments(), out);
    out.append(')');
    return null;
  }

  @Override
  public Void list(Expression.ListExpression node, StringBuilder out) {
    out.append("{ ");
    items(node.items(), out);
    out.append(" }");
    return null;
  }

  private void items(List<Expression> items, StringBuilder out) {
    String before = "";
    for (Expression each : items) {
      if (out.length() > longest) {
        throw new TooLong();
      }
      out.append(before);
      each.accept(this, out);
      before = ",";
    }
  }

  @Override
  public Void nested(Expression.RecordExpression node, StringBuilder out) {
    out.append("[ ");
    String before = "";
    for (Expression.RecordExpression.NamedExpression each : node.all()) {
      out.append(before).append(name(each.name())).append(" = ");
      each.expression().accept(this, out);
      before = "; ";
    }
    out.append(" ]");
    return null;
  }
}
