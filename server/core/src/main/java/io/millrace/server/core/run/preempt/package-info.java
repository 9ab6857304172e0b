/**
 * Subject run.preempt: a running job makes room for one of a higher level.
 *
 * <p>In: PreemptJob of an engine. Out: RunSuspended and the order SignalRun, or RunKillRequested
 * and the order KillRun, as when an operator suspends, reruns or deletes the job, or a rejection
 * with a reason. A run of a best-effort queue has to end for whoever needs its room: RunPreempted,
 * and KillRun.
 *
 * <p>Invariant: only the engine in whose care the job is may stop it, and only in ways that it
 * allows; the next run starts only after the end of the one before.
 */
package io.millrace.server.core.run.preempt;
