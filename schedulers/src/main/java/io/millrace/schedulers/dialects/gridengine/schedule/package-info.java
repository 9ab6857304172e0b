/**
 * The decision: which waiting task starts now, which is promised a later start, why others wait.
 *
 * <p>Comes in: {@link io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState}
 * and a time. Goes out: {@link
 * io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions}. Jobs are taken in the
 * order of their priority; each gets the best place now, else (with -R y, while max_reservation
 * allows it) its earliest place later, which later jobs must leave free. Resources live in
 * containers: a parallel environment, the cluster, a host, a queue instance; each has a diagram of
 * its use over time.
 *
 * <p>Invariant: pure. No container is ever planned above its capacity, except by jobs that run
 * already.
 */
package io.millrace.schedulers.dialects.gridengine.schedule;
