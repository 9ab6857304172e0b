/**
 * Subject job.submit: a job, or a chunk of a bulk submission, enters a queue of this shard.
 *
 * <p>In: SubmitJobs. Out: JobQueued for each job, ScriptStored for a new text, and the ids as
 * answer; a command for a queue of another shard is passed on.
 *
 * <p>Invariant: all jobs of a command are queued or none; a number is given once.
 */
package io.millrace.server.core.job.submit;
