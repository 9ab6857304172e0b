/**
 * The clusters on which a run takes place.
 *
 * <p>In: a system that is up. Out: its queues, nodes and schedulers, the queues of jobs, the parts
 * that may be killed, and other changes during the run.
 *
 * <p>Invariant: at its end a scenario leaves a cluster in which every job can run, so that one that
 * does not was lost.
 */
package io.millrace.ops.faults.scenario;
