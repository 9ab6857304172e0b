/**
 * Which runs may be preempted for which jobs, and which jobs wait for preempted runs to end.
 *
 * <p>In: the rule of the scheduler object, runs that begin and end, claims of jobs on the nodes of
 * others. Out: the level of each class, and the classes that may be helped by what has happened.
 *
 * <p>Invariant: while no class can be above another, nothing here costs more than a look at a flag.
 */
package io.millrace.schedulers.core.state.preemption;
