/**
 * Grid Engine's decisions on a live partition.
 *
 * <p>Comes in: the facts of a shard (the scheduler object with its configuration's text, nodes,
 * jobs and their runs) and the time. Goes out: starts with their queue instances, and why the other
 * jobs wait. What the dialect decides on is followed from fact to fact, never asked for.
 *
 * <p>Invariant: a start that was proposed holds its resources until it is granted or withdrawn.
 */
package io.millrace.schedulers.dialects.gridengine.live;
