/**
 * Commands of managers and operators: qmgr, pbsnodes, qenable, qdisable, qstart, qstop, qterm and
 * shards.
 *
 * <p>In come directives and names of objects. Out go changes of objects to the administrative
 * shard, and what PBS prints of objects.
 *
 * <p>Invariants: a change is seen by whoever asks after the command has come back; who may change
 * something is decided by the shard.
 */
package io.millrace.server.gateway.admin;
