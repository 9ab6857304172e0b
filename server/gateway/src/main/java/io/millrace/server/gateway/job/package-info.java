/**
 * Commands on jobs that are there: qalter, qdel, qhold, qmove, qmsg, qorder, qrerun, qrls, qrun,
 * qsig and pbsdsh.
 *
 * <p>In come options and job identifiers. Out goes one command for each job, to the shard that
 * knows where the job lives, and PBS's text for each that was refused.
 *
 * <p>Invariant: a job that is refused does not keep the others of a list from being done.
 */
package io.millrace.server.gateway.job;
