/**
 * Subject job.alter: the submitter's wishes change.
 *
 * <p>In: AlterJob. Out: JobAltered with the whole specification after the change.
 *
 * <p>Invariant: what a run has been granted does not change while it runs; how long it may last
 * may, and its hosts are told.
 */
package io.millrace.server.core.job.alter;
