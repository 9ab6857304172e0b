/**
 * One shard at work: takes commands in the order of its inbox, decides, applies.
 *
 * <p>In: one command at a time and the shard's time. Out: an {@link
 * io.millrace.server.core.shard.CommandOutcome}: facts, answers, messages to shards, orders to
 * executors. It runs timers that are due before the command, and asks the registries for the
 * methods of all subjects; it alone knows them, and the snapshots. Tick lets time pass in an idle
 * shard.
 *
 * <p>Invariant: the state is a function of the ledger; whatever is not in a fact did not happen.
 */
package io.millrace.server.core.shard;
