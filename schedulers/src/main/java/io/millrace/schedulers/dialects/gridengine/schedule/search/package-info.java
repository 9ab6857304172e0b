/**
 * Where and when a task starts: one slot, or several in a parallel environment.
 *
 * <p>In: what a job needs, the queue instances in their order, the use of the cluster over time.
 * Out: an assignment now, an assignment at the earliest time later, or neither.
 *
 * <p>Invariant: a search takes nothing; whoever wants the assignment books it.
 */
package io.millrace.schedulers.dialects.gridengine.schedule.search;
