/**
 * Subject node: the run-time side of nodes.
 *
 * <p>In: ReportNodeUp of an executor, passed on as NoteNodeUp to the shards of its other nodes;
 * NoteHostSilent, NoteHostHeard and NoteHostLost of the shard's owner, which hears the heartbeats.
 * Out: NodeCameUp, NodeWentDown, NodeRemoved, the answer HostServed, and the question after the
 * runs that the host should have.
 *
 * <p>Invariant: orders for a node go to one executor, and to another one only when nothing runs
 * there or an administrator said so; a node lives in the shard of its partition, or where its last
 * run ends.
 */
package io.millrace.server.core.node;
