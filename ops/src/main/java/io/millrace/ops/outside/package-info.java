/**
 * The word {@code outside}: clusters of other systems.
 *
 * <p>In: a cluster file. Out: a line for each thing that was looked at, good or wrong, with cause
 * and cure.
 *
 * <p>Invariant: nothing is submitted and nothing is changed anywhere.
 */
package io.millrace.ops.outside;
