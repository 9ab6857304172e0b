/**
 * Subject job.order: two jobs take each other's places among those that wait.
 *
 * <p>In: ExchangeJobs. Out: JobReordered of each, and JobAltered where the defaults of another
 * queue change what a job asks for.
 *
 * <p>Invariant: of two jobs that have changed places each has the rank that the other had, so that
 * no third one's place changes.
 */
package io.millrace.server.core.job.order;
