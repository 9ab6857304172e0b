/**
 * What a run of the scheduler is told and what it answers.
 *
 * <p>In: {@link io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState}, the
 * cluster with what runs on it and the jobs that wait, in the order in which they came. Out: {@link
 * io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions}: starts, promises and the
 * reasons of the jobs that wait.
 *
 * <p>Invariant: immutable, and free of how a run comes to its decision.
 */
package io.millrace.schedulers.dialects.gridengine.schedule.decision;
