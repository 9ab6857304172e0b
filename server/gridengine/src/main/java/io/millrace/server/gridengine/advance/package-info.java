/**
 * Grid Engine's advance reservations, which are Millrace's.
 *
 * <p>Comes in: command lines of qrsub, qrstat and qrdel; what the shards know of nodes, runs and
 * reservations. Goes out: a reservation whose chunks name the nodes that Grid Engine's own rules
 * would choose; texts and XML as Grid Engine prints them.
 *
 * <p>Invariant: nothing is held before the shard has said so.
 */
package io.millrace.server.gridengine.advance;
