/**
 * The cycle of a scheduler: which waiting jobs start now, on which nodes, and why the others wait.
 *
 * <p>In: a {@link io.millrace.schedulers.core.cycle.SchedulerState}, kept up to date by the engine
 * from facts, a policy, the time and a number of units of work. Out: {@link
 * io.millrace.schedulers.core.cycle.CycleDecisions}, which the state has already taken hold of:
 * starts hold their nodes, promises are kept.
 *
 * <p>Simple semantics: take all waiting jobs in the policy's order, give each the first nodes on
 * which it fits, pass over those that do not fit. Jobs with identical requests form a class; when
 * one of them does not fit, none does, so a class is tried once. A class that did not fit is not
 * tried again before something has changed that it waits for; that is the whole optimisation.
 *
 * <p>Invariant: no node is given more than is free on it, the same state gives the same decisions,
 * and no clock, I/O or Kafka is reached from here.
 */
package io.millrace.schedulers.core.cycle;
