/**
 * Which parts are killed when, and their restarts.
 *
 * <p>In: the seed, the parts that may be killed. Out: strikes at one part or two, and parts that
 * are restarted at once.
 *
 * <p>Invariant: the schedule follows from the seed and the names of the parts alone; a part that
 * ends without having been killed is counted.
 */
package io.millrace.ops.faults.kill;
