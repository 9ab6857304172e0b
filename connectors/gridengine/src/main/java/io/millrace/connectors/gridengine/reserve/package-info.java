/**
 * Reservations in a Grid Engine whose own scheduler goes on working.
 *
 * <p>In: the reservations that are to be there now. Out: commands of a manager of the cell, until
 * it has a queue, a host group and a user set for each, and other queues are suspended on the hosts
 * of those that have begun.
 *
 * <p>Invariant: what was done is read from the cell, nothing is remembered; an instance is noted in
 * the cell before it is suspended, and only what is noted is opened again.
 */
package io.millrace.connectors.gridengine.reserve;
