/**
 * The engine of a scheduler object: a thread that follows facts and proposes starts.
 *
 * <p>In: a snapshot of a shard, its facts in order, answers to proposals. Out: proposals ({@link
 * io.millrace.schemas.command.RunJob}) and the reasons of classes that wait ({@link
 * io.millrace.schemas.command.RecordCycle}). {@link io.millrace.schedulers.engine.EngineThreads}
 * makes engines that sit beside a shard; {@link io.millrace.schedulers.engine.EngineApart} feeds
 * the same engine from the ledger in a process of its own.
 *
 * <p>Everything that waits has a bound: facts in the mailbox, proposals in flight, reasons in
 * flight, the time of a cycle. The clock is read here and nowhere below.
 *
 * <p>Invariant: what is proposed and not yet answered counts as taken; an engine that fell behind,
 * threw, or lost itself in a cycle is given up and says so, it never goes on with a state it is not
 * sure of.
 */
package io.millrace.schedulers.engine;
