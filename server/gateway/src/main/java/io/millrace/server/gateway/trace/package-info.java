/**
 * tracejob: what logs, accounting files and the cluster tell of one job, in order of time.
 *
 * <p>In come the job's identifier and the files of the days that are asked for, read by the client
 * with its user's rights. Out go lines with time, source and text.
 *
 * <p>Invariant: a file is read line by line and bounded; one that cannot be read is named and the
 * others go on.
 */
package io.millrace.server.gateway.trace;
