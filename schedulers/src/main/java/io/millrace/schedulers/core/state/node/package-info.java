/**
 * Nodes: what they have, what runs, proposals and promises take of them, and in which pools they
 * serve queues.
 *
 * <p>In: nodes as administrators and executors describe them, allocations that come and go. Out:
 * what is free now and at the end of each run, by node, and what has become free since somebody
 * looked last.
 *
 * <p>Invariant: what is free on a node is what it has less the sum of all allocations on it; the
 * tree of free amounts and the ends of runs say the same as the nodes. Of jobs no more is known
 * here than their numbers.
 */
package io.millrace.schedulers.core.state.node;
