package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression.RecordExpression;

/** A record in its place: in which record it stands, and against which other one it is held. */
public final class Scope {

  private final RecordExpression record;
  private final Scope parent;
  private Scope target;

  /**
   * @param parent the scope in which the record stands; null for an outermost one
   */
  public Scope(RecordExpression record, Scope parent) {
    this.record = record;
    this.parent = parent;
  }

  /**
   * The scope of a record that is held against another one: there {@code TARGET} means the other,
   * and in the other it means this one.
   */
  public static Scope matched(RecordExpression record, RecordExpression target) {
    Scope scope = new Scope(record, null);
    scope.target = new Scope(target, null);
    scope.target.target = scope;
    return scope;
  }

  public RecordExpression record() {
    return record;
  }

  /** Null for an outermost one. */
  public Scope parent() {
    return parent;
  }

  /** Null for a scope that is not outermost, or is held against none. */
  public Scope target() {
    return target;
  }

  /** The outermost scope. */
  public Scope root() {
    Scope scope = this;
    while (scope.parent != null) {
      scope = scope.parent;
    }
    return scope;
  }
}
