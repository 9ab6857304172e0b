package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Value;

/** A function of the language, or one that a caller adds. */
@FunctionalInterface
public interface BuiltIn {

  /** Wrong arguments make an error value; nothing is thrown but for a bound. */
  Value apply(Arguments arguments);
}
