/**
 * Subject run.signal: somebody sends a signal to the processes of a run, or has it suspended or
 * resumed.
 *
 * <p>In: SignalJob. Out: RunSignalled and the order SignalRun; for suspend and resume what {@link
 * io.millrace.server.core.run.suspend} says.
 *
 * <p>Invariant: the orders of a run are numbered, so that its host carries out each of them once
 * however often it is told.
 */
package io.millrace.server.core.run.signal;
