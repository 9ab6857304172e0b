/**
 * Subject job.delete: a job ends because somebody wants it to, or its scheduler gives it up.
 *
 * <p>In: DeleteJob, RejectJob of an engine. Out: JobDeleted when it waits, RunKillRequested and an
 * order to the executor when it runs, JobPurged when its history is to go too (refused while it
 * runs).
 *
 * <p>Invariant: a running job ends by its run's report only.
 */
package io.millrace.server.core.job.delete;
