package io.millrace.reservations.classad.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A node of a parsed text. */
public sealed interface Expression {

  /**
   * What is done with each kind of node.
   *
   * @param <C> what is handed down
   * @param <R> what comes back
   */
  interface ExpressionVisitor<C, R> {
    R literal(Literal node, C context);

    R reference(Reference node, C context);

    R prefix(Prefix node, C context);

    R infix(Infix node, C context);

    R conditional(Conditional node, C context);

    R subscript(Subscript node, C context);

    R parentheses(Parentheses node, C context);

    R call(FunctionCall node, C context);

    R list(ListExpression node, C context);

    R nested(RecordExpression node, C context);
  }

  <C, R> R accept(ExpressionVisitor<C, R> visitor, C context);

  /** The expressions that stand in this one directly. */
  default List<Expression> parts() {
    return List.of();
  }

  /** A value that is written down, or was computed before. */
  record Literal(Value value) implements Expression {
    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.literal(this, context);
    }
  }

  /**
   * The name of an attribute.
   *
   * @param base what the name is selected from; null when it is looked for in the scopes
   * @param name as it is written
   * @param key the form by which it is compared
   * @param absolute whether the search begins at the outermost record ({@code .name})
   */
  record Reference(Expression base, String name, String key, boolean absolute)
      implements Expression {
    public Reference(Expression base, String name, boolean absolute) {
      this(base, name, RecordExpression.key(name), absolute);
    }

    @Override
    public List<Expression> parts() {
      return base == null ? List.of() : List.of(base);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.reference(this, context);
    }
  }

  /** An operator before its operand. */
  record Prefix(Operator operator, Expression operand) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(operand);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.prefix(this, context);
    }
  }

  /** An operator between its operands. */
  record Infix(Operator operator, Expression left, Expression right) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(left, right);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.infix(this, context);
    }
  }

  /** {@code condition ? then : otherwise}. */
  record Conditional(Expression condition, Expression then, Expression otherwise)
      implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(condition, then, otherwise);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.conditional(this, context);
    }
  }

  /** {@code of[index]}. */
  record Subscript(Expression of, Expression index) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(of, index);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.subscript(this, context);
    }
  }

  /** {@code (inner)}. */
  record Parentheses(Expression inner) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(inner);
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.parentheses(this, context);
    }
  }

  /**
   * The call of a function.
   *
   * @param name as it is written
   * @param key the form by which it is compared
   */
  record FunctionCall(String name, String key, List<Expression> arguments) implements Expression {
    public FunctionCall {
      arguments = List.copyOf(arguments);
    }

    public FunctionCall(String name, List<Expression> arguments) {
      this(name, RecordExpression.key(name), arguments);
    }

    @Override
    public List<Expression> parts() {
      return arguments;
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.call(this, context);
    }
  }

  /** {@code { item, item }}. */
  record ListExpression(List<Expression> items) implements Expression {
    public ListExpression {
      items = List.copyOf(items);
    }

    @Override
    public List<Expression> parts() {
      return items;
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.list(this, context);
    }
  }

  /** {@code [ name = expression; ... ]}: a record. Names do not differ by the case of letters. */
  final class RecordExpression implements Expression {

    /** The record without attributes. */
    public static final RecordExpression NONE = new RecordExpression(List.of());

    /** An attribute; its name as it was written. */
    public record NamedExpression(String name, Expression expression) {}

    private final List<NamedExpression> all;
    private final List<String> repeated;
    private final Map<String, Expression> byName = new HashMap<>();

    /**
     * @param written in the order of the text; of two with one name the expression of the later one
     *     counts, in the place of the first
     */
    public RecordExpression(List<NamedExpression> written) {
      Map<String, Integer> places = new HashMap<>();
      List<NamedExpression> kept = new ArrayList<>();
      List<String> again = new ArrayList<>();
      for (NamedExpression each : written) {
        String key = key(each.name());
        Integer place = places.putIfAbsent(key, kept.size());
        if (place == null) {
          kept.add(each);
        } else {
          kept.set(place, new NamedExpression(kept.get(place).name(), each.expression()));
          again.add(each.name());
        }
        byName.put(key, each.expression());
      }
      all = List.copyOf(kept);
      repeated = List.copyOf(again);
    }

    /** The form of a name by which names are compared. */
    public static String key(String name) {
      return name.toLowerCase(Locale.ROOT);
    }

    public List<NamedExpression> all() {
      return all;
    }

    /** Names of those whose place a later one took. */
    public List<String> repeated() {
      return repeated;
    }

    /**
     * @param key as {@link #key} makes it
     * @return null when there is none
     */
    public Expression find(String key) {
      return byName.get(key);
    }

    @Override
    public List<Expression> parts() {
      return all.stream().map(NamedExpression::expression).toList();
    }

    @Override
    public <C, R> R accept(ExpressionVisitor<C, R> visitor, C context) {
      return visitor.nested(this, context);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof RecordExpression && all.equals(((RecordExpression) other).all);
    }

    @Override
    public int hashCode() {
      return all.hashCode();
    }
  }
}
