/**
 * What the executor tells the shards: that it is here, starts and ends of runs, load, and what runs
 * have used.
 *
 * <p>In come starts and ends from the execution, and measurements. Out go commands to the shards'
 * inboxes, and heartbeats past them.
 *
 * <p>Invariants: a report of a run is sent until the broker has it, under an id that follows from
 * the run, so that one that is sent twice is the same command; a lost heartbeat is not sent again.
 */
package io.millrace.connectors.local.report;
