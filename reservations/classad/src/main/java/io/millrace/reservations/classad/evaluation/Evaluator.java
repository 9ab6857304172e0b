package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Operator;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * One evaluation with its bounds. Meant for one thread and to be thrown away; the trees and the
 * table of functions serve any number of them.
 */
public final class Evaluator implements Expression.ExpressionVisitor<Scope, Value> {

  /** How many characters of a string cost as much as one expression. */
  private static final int CHARACTERS_A_STEP = 64;

  /** The same of a text that is printed, number by number. */
  private static final int PRINTED_A_STEP = 2;

  private final Surroundings surroundings;
  private final FunctionTable functions;
  private final Set<Expression> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private long steps;
  private int depth;

  public Evaluator(Surroundings surroundings, FunctionTable functions) {
    this.surroundings = surroundings;
    this.functions = functions;
  }

  public Surroundings surroundings() {
    return surroundings;
  }

  public FunctionTable functions() {
    return functions;
  }

  /** How much was needed until now. */
  public long steps() {
    return steps;
  }

  /**
   * Evaluates an attribute of a record, or what the names around it give.
   *
   * @throws BoundExceeded when the bounds do not suffice
   */
  public Value attribute(String name, Scope scope) {
    return value(new Expression.Reference(null, name, false), scope);
  }

  /**
   * Evaluates an expression.
   *
   * @param scope the record in which it stands
   * @throws BoundExceeded when the bounds do not suffice
   */
  public Value value(Expression expression, Scope scope) {
    charge(1);
    if (++depth > surroundings.bounds().depth()) {
      throw new BoundExceeded(
          "expressions need each other deeper than " + surroundings.bounds().depth());
    }
    Value value = expression.accept(this, scope);
    if (value instanceof Scalar.TextValue text && text.value().length() >= CHARACTERS_A_STEP) {
      // Whoever asked for it looks at its characters.
      charge(text.value().length() / CHARACTERS_A_STEP);
    }
    depth--;
    return value;
  }

  /**
   * Counts work that is not seen as an expression.
   *
   * @throws BoundExceeded when it is too much
   */
  public void charge(long more) {
    steps += more;
    if (steps > surroundings.bounds().steps()) {
      throw new BoundExceeded(
          "the evaluation needs more than " + surroundings.bounds().steps() + " steps");
    }
  }

  /**
   * Checks a string that was made.
   *
   * @throws BoundExceeded when it is too long
   */
  public Value string(CharSequence made) {
    checkLength(made.length());
    return Scalar.of(made.toString());
  }

  /**
   * Checks the length of a string before it is made.
   *
   * @throws BoundExceeded when it is too long
   */
  public void checkLength(long characters) {
    if (characters > surroundings.bounds().characters()) {
      throw new BoundExceeded(
          "a string is longer than " + surroundings.bounds().characters() + " characters");
    }
  }

  /** Prints an expression as a string of the language. */
  public Value printed(Expression expression) {
    try {
      String text = ClassAdPrinter.print(expression, surroundings.bounds().characters());
      charge(text.length() / PRINTED_A_STEP);
      return string(text);
    } catch (ClassAdPrinter.TooLong e) {
      throw new BoundExceeded(
          "a string is longer than " + surroundings.bounds().characters() + " characters");
    }
  }

  @Override
  public Value literal(Expression.Literal node, Scope scope) {
    return node.value();
  }

  @Override
  public Value list(Expression.ListExpression node, Scope scope) {
    return new ListValue(node, scope);
  }

  @Override
  public Value nested(RecordExpression node, Scope scope) {
    return new RecordValue(new Scope(node, scope));
  }

  @Override
  public Value parentheses(Expression.Parentheses node, Scope scope) {
    return value(node.inner(), scope);
  }

  @Override
  public Value call(Expression.FunctionCall node, Scope scope) {
    BuiltIn function = functions.find(node.key());
    return function == null ? Scalar.ERROR : function.apply(new Arguments(this, node, scope));
  }

  @Override
  public Value conditional(Expression.Conditional node, Scope scope) {
    Value condition = value(node.condition(), scope);
    if (condition.isExceptional()) {
      return condition;
    }
    Boolean truth = Logic.truth(condition);
    if (truth == null) {
      return Scalar.ERROR;
    }
    return value(truth ? node.then() : node.otherwise(), scope);
  }

  @Override
  public Value prefix(Expression.Prefix node, Scope scope) {
    Value operand = value(node.operand(), scope);
    return switch (node.operator()) {
      case NOT -> Logic.not(operand);
      case BIT_NOT -> Arithmetic.bitNot(operand);
      case PLUS -> Arithmetic.plus(operand);
      default -> Arithmetic.minus(operand);
    };
  }

  @Override
  public Value infix(Expression.Infix node, Scope scope) {
    Value left = value(node.left(), scope);
    Operator operator = node.operator();
    Value decided = Logic.decided(operator, left);
    if (decided != null) {
      return decided;
    }
    return Logic.apply(operator, left, value(node.right(), scope));
  }

  @Override
  public Value subscript(Expression.Subscript node, Scope scope) {
    Value of = value(node.of(), scope);
    Value index = value(node.index(), scope);
    if (of.is(ClassAdType.ERROR) || index.is(ClassAdType.ERROR)) {
      return Scalar.ERROR;
    }
    if (of.isExceptional() || index.isExceptional()) {
      return Scalar.UNDEFINED;
    }
    if (of instanceof RecordValue record && index instanceof Scalar.TextValue name) {
      String key = RecordExpression.key(name.value());
      Expression found = record.scope().record().find(key);
      return found == null ? Scalar.UNDEFINED : target(found, record.scope());
    }
    if (of instanceof ListValue list && index instanceof Scalar.WholeNumber number) {
      boolean inside = number.value() >= 0 && number.value() < list.items().size();
      return inside ? target(list.items().get((int) number.value()), list.scope()) : Scalar.ERROR;
    }
    return Scalar.ERROR;
  }

  @Override
  public Value reference(Expression.Reference node, Scope scope) {
    if (node.base() == null) {
      return named(node.key(), node.absolute() ? scope.root() : scope, !node.absolute());
    }
    return selected(value(node.base(), scope), node);
  }

  private Value selected(Value base, Expression.Reference node) {
    if (base.isExceptional()) {
      return base;
    }
    if (base instanceof RecordValue record) {
      Value found = inScopes(node.key(), record.scope());
      return found == null ? Scalar.UNDEFINED : found;
    }
    if (!(base instanceof ListValue list)) {
      return Scalar.ERROR;
    }
    // A name is selected from a list by selecting it from each item.
    List<Value> items = new ArrayList<>();
    for (Expression each : list.items()) {
      items.add(
          value(new Expression.Reference(each, node.name(), node.key(), false), list.scope()));
    }
    return ListValue.of(items);
  }

  /** The value of a name that stands alone. */
  private Value named(String key, Scope scope, boolean targetToo) {
    Value found = inScopes(key, scope);
    Scope target = scope.root().target();
    if (found == null && target != null && (key.equals("target") || key.equals("other"))) {
      return new RecordValue(target);
    }
    if (found == null && target != null && targetToo && target.record().find(key) != null) {
      return target(target.record().find(key), target);
    }
    Value given = found == null ? surroundings.names().apply(key) : found;
    return given == null ? Scalar.UNDEFINED : given;
  }

  /** Looks for an attribute in a record and those around it; null when it is nowhere. */
  private Value inScopes(String key, Scope from) {
    for (Scope scope = from; scope != null; scope = scope.parent()) {
      Expression found = scope.record().find(key);
      if (found != null) {
        return target(found, scope);
      }
      switch (key) {
        case "self", "my" -> {
          return new RecordValue(scope);
        }
        case "parent" -> {
          return scope.parent() == null ? Scalar.UNDEFINED : new RecordValue(scope.parent());
        }
        case "root", "toplevel" -> {
          return new RecordValue(scope.root());
        }
        case "currenttime" -> {
          return Scalar.of(surroundings.now().getEpochSecond());
        }
        default -> charge(1);
      }
    }
    return null;
  }

  /** The expression that a name or an index stands for, evaluated where it was found. */
  private Value target(Expression expression, Scope scope) {
    if (expression instanceof Expression.Literal literal) {
      return literal.value();
    }
    // What needs itself is undefined.
    if (!open.add(expression)) {
      return Scalar.UNDEFINED;
    }
    Value value = value(expression, scope);
    open.remove(expression);
    return value;
  }

  /** Whether a name that is defined nowhere means a record around it, the target or the time. */
  public static boolean meansRecord(String key, Scope scope) {
    return switch (key) {
      case "self", "my", "parent", "root", "toplevel", "currenttime" -> true;
      case "target", "other" -> scope.root().target() != null;
      default -> false;
    };
  }

  /**
   * The expression that a name stands for, not evaluated.
   *
   * @return null when no record has it
   */
  public static Expression definition(Expression.Reference reference, Scope scope) {
    String key = reference.key();
    Scope from = reference.absolute() ? scope.root() : scope;
    for (Scope each = from; each != null; each = each.parent()) {
      if (each.record().find(key) != null) {
        return each.record().find(key);
      }
    }
    return null;
  }
}
