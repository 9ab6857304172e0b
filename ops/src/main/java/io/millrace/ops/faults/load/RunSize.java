package io.millrace.ops.faults.load;

/**
 * How much a run of the harness does.
 *
 * @param jobs to submit
 * @param kills processes to kill
 * @param seed of all random choices
 */
public record RunSize(int jobs, int kills, long seed) {}
