/**
 * {@code ./millrace bench NAME}: measurements of the whole system, each on an installation of its
 * own in a new folder.
 *
 * <p>In: a name, a number of runs. Out: named figures, medians over the runs, as text or JSON. A
 * figure's name ends with its unit.
 *
 * <p>Invariant: what is timed goes through the same parts as a user's command; where the command
 * line itself is left out, the benchmark's description says so.
 */
package io.millrace.ops.bench;
