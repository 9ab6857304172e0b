/**
 * Expressions and values of the ClassAd language.
 *
 * <p>In: nothing but what the parser or a caller builds. Out: trees of {@link
 * io.millrace.reservations.classad.tree.Expression}, and {@link
 * io.millrace.reservations.classad.tree.Value}.
 *
 * <p>Invariant: nothing here changes once it is made, so that a text is parsed once and evaluated
 * by many threads. Parentheses are kept, so that a printed tree reads as it was written.
 */
package io.millrace.reservations.classad.tree;
