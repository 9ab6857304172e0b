/**
 * How things look: jobs, queues, nodes and servers as PBS's commands print them.
 *
 * <p>In come records and cluster objects; out go attributes in PBS's order with PBS's texts, and
 * from these the forms of the command line: wrapped lines, one wide line, dsv, JSON and the tables
 * of qstat.
 *
 * <p>Invariant: nothing here asks anybody or knows the time; the same input gives the same text.
 */
package io.millrace.server.gateway.print;
