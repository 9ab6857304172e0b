package io.millrace.reservations.classad.evaluation;

/**
 * How much one evaluation may need.
 *
 * @param steps expressions looked at; strings and patterns count by their length
 * @param depth expressions that are open in each other
 * @param characters the longest string
 */
public record WorkBounds(long steps, int depth, int characters) {

  /** Some ten milliseconds of work; as deep as HTCondor's library goes. */
  public static final WorkBounds USUAL = new WorkBounds(200_000, 400, 1 << 16);
}
