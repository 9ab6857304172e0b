/**
 * Grid Engine's commands at a gateway: {@code sge/qsub} and its kin.
 *
 * <p>Comes in: what the user typed, read as Grid Engine reads it, with the configuration of the
 * cell, which is a scheduler object whose policy is gridengine. Goes out: the same commands to the
 * shards that PBS's commands become, and Grid Engine's texts and exit codes.
 *
 * <p>It stands here because it needs both the gateway and the dialect, which do not know each
 * other. Invariant: what a shard is told has been read with the configuration that its scheduler
 * uses.
 */
package io.millrace.ops.gridengine.front;
