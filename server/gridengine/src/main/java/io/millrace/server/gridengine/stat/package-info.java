/**
 * {@code sge/qstat}: tables, details and XML.
 *
 * <p>Comes in: the jobs and hosts of a cell at one moment, and what was asked. Goes out: lines as
 * Grid Engine's qstat lays them out, down to the blanks.
 *
 * <p>Invariant: an answer comes from one look at the jobs, and names only those that its user may
 * see.
 */
package io.millrace.server.gridengine.stat;
