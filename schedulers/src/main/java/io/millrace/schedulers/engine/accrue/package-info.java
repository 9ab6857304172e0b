/**
 * For how long jobs have waited for resources, for formulas that read it.
 *
 * <p>In: the facts of the shard. Out: PBS's eligible_time of a job at a moment.
 *
 * <p>Invariant: the same as the shard tells of the job.
 */
package io.millrace.schedulers.engine.accrue;
