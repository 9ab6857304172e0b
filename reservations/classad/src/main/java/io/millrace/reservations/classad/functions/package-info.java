/**
 * The functions of the language, by subject.
 *
 * <p>In: arguments, not yet evaluated. Out: a value; wrong arguments give error. {@link
 * io.millrace.reservations.classad.functions.Functions} has the table of all of them.
 *
 * <p>Invariant: a function reads nothing but its arguments and the surroundings of the evaluation.
 * What takes long by the length of a string or by a pattern counts as work.
 */
package io.millrace.reservations.classad.functions;
