/**
 * Grid Engine's commands at a gateway: {@code sge/qsub} and its kin.
 *
 * <p>Comes in: what the user typed, read as Grid Engine reads it, with the configuration of the
 * cell, which is a scheduler object whose policy is gridengine. Goes out: the same commands to the
 * shards that PBS's commands become, and Grid Engine's texts and exit codes. The sub-packages:
 * {@code cell} (what all commands need), {@code submit}, {@code change}, {@code stat} and {@code
 * policy}.
 *
 * <p>Invariant: of the schedulers only the dialect's language is known here. What a shard is told
 * has been read with the configuration that its scheduler uses.
 */
package io.millrace.server.gridengine;
