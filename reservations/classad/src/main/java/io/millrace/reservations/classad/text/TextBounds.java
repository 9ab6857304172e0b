package io.millrace.reservations.classad.text;

/**
 * How much is read.
 *
 * @param characters the longest text
 * @param depth how many levels an expression has; a chain of operators has one for each, since
 *     {@code a + b + c} is {@code (a + b) + c}
 * @param nesting how many brackets, conditions or operators before an operand are open in each
 *     other: the parser calls itself for each
 */
public record TextBounds(int characters, int depth, int nesting) {

  /** A text of 1 MiB; as many levels as HTCondor's library evaluates, nested a little deeper. */
  public static final TextBounds USUAL = new TextBounds(1 << 20, 400, 200);
}
