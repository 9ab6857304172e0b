/**
 * Those who wait for a job, and what they are told of it.
 *
 * <p>In: a job that begins or ends. Out: messages to the shards of all that wait for it, and what
 * is kept of them beside the job.
 *
 * <p>Invariant: who waits is told of the same end whether it waited for it or asks later.
 */
package io.millrace.server.core.job.depend.waiting;
