/**
 * Slurm as an outside system: its commands, what they print, and the file of its job completion
 * plugin.
 *
 * <p>In: what the bridge asks. Out: answers in the bridge's words.
 *
 * <p>Invariant: an answer counts only when it is whole and Slurm itself calls it one: {@code squeue
 * --json} ends well and shows no jobs when it could not reach its controller, and says so in its
 * list of errors alone.
 */
package io.millrace.connectors.slurm;
