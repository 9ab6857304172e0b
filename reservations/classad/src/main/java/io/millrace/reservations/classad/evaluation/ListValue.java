package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.ListExpression;
import io.millrace.reservations.classad.tree.Value;
import java.util.List;

/**
 * A list as a value; its items are evaluated when they are asked for.
 *
 * @param scope where the items are evaluated
 */
public record ListValue(ListExpression listing, Scope scope) implements Value {

  /** A list of values that are there already. */
  public static ListValue of(List<? extends Value> values) {
    List<Expression> items = values.stream().<Expression>map(Expression.Literal::new).toList();
    return new ListValue(
        new ListExpression(items), new Scope(Expression.RecordExpression.NONE, null));
  }

  public List<Expression> items() {
    return listing.items();
  }

  @Override
  public ClassAdType kind() {
    return ClassAdType.LIST;
  }

  @Override
  public Expression expression() {
    return listing;
  }
}
