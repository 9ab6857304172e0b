/**
 * The host and this executor's place on it: its processes and load, whether it was started anew,
 * and which orders for it are this executor's.
 *
 * <p>In comes what the kernel says, and what shards answer to the executor's announcement. Out
 * comes whether an order is for this spool, and whether the spool may be older than what was done.
 *
 * <p>Invariant: of two executors under one host name exactly one carries out each order.
 */
package io.millrace.connectors.local.host;
