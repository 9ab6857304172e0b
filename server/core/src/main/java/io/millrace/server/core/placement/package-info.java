/**
 * Where things belong, and where runs fit.
 *
 * <p>In: the objects that administrators have made, and what nodes hold. Out: the partition, shard
 * and scheduler of a queue or node, the nodes that serve a queue or share a host, and whether nodes
 * have room for a run.
 *
 * <p>Invariant: everything here follows from the view; nothing is decided or written.
 */
package io.millrace.server.core.placement;
