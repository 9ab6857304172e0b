package io.millrace.schedulers.core.state.job;

/**
 * What a job itself says about its place among those that wait.
 *
 * @param rank place in the order of submission; no two jobs have the same
 */
public record QueuePlace(int priority, long rank) {}
