/**
 * Subject run.signal: somebody sends a signal to the processes of a run, or has it suspended or
 * resumed.
 *
 * <p>In: SignalJob, MessageJob. Out: RunSignalled and the order SignalRun, RunMessaged and
 * MessageRun; of the shard's owner, NoteCputExceeded, out: SignalRun alone; for suspend and resume
 * what {@link io.millrace.server.core.run.suspend} says.
 *
 * <p>Invariant: the orders of a run are numbered, so that its host sends each signal once however
 * often it is told. Whether the run stands still is a state: its host goes by the last that it was
 * told, whatever its number.
 */
package io.millrace.server.core.run.signal;
