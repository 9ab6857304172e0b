/**
 * Subject node: the run-time side of nodes.
 *
 * <p>In: ReportNodeUp of an executor, passed on as NoteNodeUp to the shards of its other nodes.
 * Out: NodeCameUp, NodeRemoved, and the question after the runs that the host should have.
 *
 * <p>Invariant: a node lives in the shard of its partition, or where its last run ends.
 */
package io.millrace.server.core.node;
