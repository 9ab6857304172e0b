/**
 * Which parts die when, and that they come back.
 *
 * <p>In: the seed, the parts that may die. Out: strikes at one part or two, and parts that are
 * started again at once.
 *
 * <p>Invariant: the schedule follows from the seed and the names of the parts alone; a part that
 * ends without having been killed is counted.
 */
package io.millrace.ops.faults.kill;
