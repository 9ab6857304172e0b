/**
 * The clusters on which a run takes place.
 *
 * <p>In: a system that is up. Out: its queues, nodes and schedulers, where jobs go, which parts may
 * die, and what else changes meanwhile.
 *
 * <p>Invariant: at its end a scenario leaves a cluster in which every job can run, so that one that
 * does not was lost.
 */
package io.millrace.ops.faults.scenario;
