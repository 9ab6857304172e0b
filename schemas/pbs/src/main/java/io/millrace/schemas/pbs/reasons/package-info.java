/**
 * Why jobs wait, and for how long they have waited for nothing but resources.
 *
 * <p>In: the reason that a scheduler has recorded for a class of jobs, the records of jobs and of
 * the limits that they have reached. Out: the comment that PBS would show, a plain sentence with
 * the numbers, and eligible_time.
 *
 * <p>Invariant: a reason is read back as it was recorded; the time that a job has waited follows
 * from what is recorded and the time that is asked for, no matter who asks when.
 */
package io.millrace.schemas.pbs.reasons;
