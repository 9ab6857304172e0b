package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Value;

/** A record as a value; its attributes are evaluated when they are asked for. */
public record RecordValue(Scope scope) implements Value {

  @Override
  public ClassAdType kind() {
    return ClassAdType.RECORD;
  }

  @Override
  public Expression expression() {
    return scope.record();
  }
}
