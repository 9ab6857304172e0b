/**
 * A recorded session again: jobs arrive and end at given times, the scheduler runs at its interval.
 *
 * <p>Comes in: a cluster, settings, jobs with arrival and runtime, and the times at which the
 * recorded scheduler saw tasks end. Goes out: {@link
 * io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome} with the sections of the file
 * schedule and what became of each task. Invariant: pure; the only time is the one that the replay
 * counts.
 */
package io.millrace.schedulers.dialects.gridengine.replay;
