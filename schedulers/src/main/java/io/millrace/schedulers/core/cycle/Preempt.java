package io.millrace.schedulers.core.cycle;

/**
 * A running job that is to be stopped for another one.
 *
 * @param jobNumber of the running job
 * @param forNumber of the job that waits for its nodes
 * @param letters ways of stopping it in the order in which they are to be tried, out of S, R and D;
 *     or {@link #BEST_EFFORT}
 */
public record Preempt(long jobNumber, long forNumber, String letters) {

  /** Ends the run of a best-effort queue. */
  public static final String BEST_EFFORT = "E";
}
