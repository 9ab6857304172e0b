package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.Listing;
import io.millrace.reservations.classad.tree.Value;
import java.util.List;

/**
 * A list as a value; its items are evaluated when they are asked for.
 *
 * @param scope where the items are evaluated
 */
public record ListValue(Listing listing, Scope scope) implements Value {

  /** A list of values that are there already. */
  public static ListValue of(List<? extends Value> values) {
    List<Expression> items = values.stream().<Expression>map(Expression.Literal::new).toList();
    return new ListValue(new Listing(items), new Scope(Expression.Attributes.NONE, null));
  }

  public List<Expression> items() {
    return listing.items();
  }

  @Override
  public Kind kind() {
    return Kind.LIST;
  }

  @Override
  public Expression expression() {
    return listing;
  }
}
