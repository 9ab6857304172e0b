/**
 * For how long jobs have waited for nothing but resources (eligible_time).
 *
 * <p>In: each change of a job's record, as it is applied, and what cycles say of classes. Out: the
 * record's accrual, and the class's clock.
 *
 * <p>Invariant: the accrual changes only with the job, so that jobs that wait cost nothing; before
 * an administrator has asked for such times nothing is written at all.
 */
package io.millrace.server.core.job.accrue;
