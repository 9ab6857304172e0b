/**
 * Subject job.purge: the record of a finished job is forgotten.
 *
 * <p>In: the timer that was set when the job finished, or a deletion with history. Out: JobPurged;
 * the birth shard is told to drop its mark.
 *
 * <p>Invariant: only finished jobs are purged, and a script goes with its last job.
 */
package io.millrace.server.core.job.purge;
