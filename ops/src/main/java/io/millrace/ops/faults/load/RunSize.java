package io.millrace.ops.faults.load;

/**
 * How much a run of the harness does.
 *
 * @param jobs to submit
 * @param tasks of a campaign that goes on meanwhile; 0: there is none
 * @param kills processes to kill
 * @param seed of all random choices
 */
public record RunSize(int jobs, int tasks, int kills, long seed) {}
