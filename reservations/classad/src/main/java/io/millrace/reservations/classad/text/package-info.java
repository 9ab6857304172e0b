/**
 * The text of ClassAds: read into trees, and printed.
 *
 * <p>In: text in the new form ({@code [ a = 1; b = 2 ]}) or the old one (a line for each
 * attribute). Out: {@link io.millrace.reservations.classad.tree.Expression}, or {@link
 * io.millrace.reservations.classad.text.ClassAdRefused} with line, column and reason.
 *
 * <p>Invariant: what {@link io.millrace.reservations.classad.text.ClassAdPrinter} prints of a tree
 * that was parsed is parsed to the same tree. A text of any length and nesting is either read or
 * refused; the stack does not overflow.
 */
package io.millrace.reservations.classad.text;
