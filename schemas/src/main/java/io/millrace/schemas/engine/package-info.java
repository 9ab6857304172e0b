/**
 * The small interface through which an engine listens to a shard and proposes to it.
 *
 * <p>In: a snapshot of the shard's state when the engine starts, then every fact of the shard in
 * the order of the ledger. Out: proposals, which are ordinary commands of the family "engine"
 * ({@link io.millrace.schemas.command.RunJob}, {@link io.millrace.schemas.command.RecordCycle})
 * with an id of their own, handed over in memory.
 *
 * <p>Invariant: nothing here blocks the shard's thread for longer than it asked for, and a decider
 * checks every proposal of an engine.
 */
package io.millrace.schemas.engine;
