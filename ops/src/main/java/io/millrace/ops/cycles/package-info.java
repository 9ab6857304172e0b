/**
 * {@code ./millrace cycles}: what the last cycles of the schedulers did.
 *
 * <p>In: the topic {@code cycles} of a home whose broker serves. Out: a table, a line for each
 * cycle.
 *
 * <p>Invariant: nothing is written; who may read the monitor's file may see it.
 */
package io.millrace.ops.cycles;
