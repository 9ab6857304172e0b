package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Value;

/** The arguments of one call. They are evaluated when the function asks for them. */
public final class Arguments {

  private final Evaluator evaluator;
  private final Expression.FunctionCall call;
  private final Scope scope;

  Arguments(Evaluator evaluator, Expression.FunctionCall call, Scope scope) {
    this.evaluator = evaluator;
    this.call = call;
    this.scope = scope;
  }

  public int count() {
    return call.arguments().size();
  }

  /** Evaluates one; asked again, it is evaluated again. */
  public Value value(int index) {
    return evaluator.value(call.arguments().get(index), scope);
  }

  public Expression expression(int index) {
    return call.arguments().get(index);
  }

  /** Where the call stands. */
  public Scope scope() {
    return scope;
  }

  public Evaluator evaluator() {
    return evaluator;
  }
}
