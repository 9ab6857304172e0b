package io.millrace.schedulers.core.state.job;

/**
 * What a job itself contributes to its place in the ready queue.
 *
 * @param rank place in the order of submission; no two jobs have the same
 */
public record QueuePlace(int priority, long rank) {}
