/**
 * An Origin2000 scheduler's files at work in a live scheduler.
 *
 * <p>Comes in: the facts of a shard. Goes out: starts that name the queue into which the job goes
 * for its run, jobs to be deleted, and why the others wait. {@code OriginFollower} follows the
 * facts, {@code LoadedOrigin} is what the scheduler object's text says, {@code OriginCycles} shows
 * both to the cycle of {@code plan} and takes what it decided.
 *
 * <p>Invariant: nothing is read from outside; what is looked at are facts, and the time that is
 * given.
 */
package io.millrace.schedulers.dialects.origin2000.live;
