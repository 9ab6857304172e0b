/**
 * Submission: qsub, {@code qsub --bulk}, interactive jobs, and those whose qsub waits for the end.
 *
 * <p>In comes a command line with a script, a command or a file of many. Out go commands to submit,
 * and the identifiers of the jobs.
 *
 * <p>Invariants: a submission that is repeated under its command id makes no second job; a bulk
 * submission that was interrupted goes on where it was, by the progress file beside its input.
 */
package io.millrace.server.gateway.submit;
