/**
 * What a scheduler wants: small parts that the one loop of {@link
 * io.millrace.schedulers.core.cycle.Cycle} puts together. A policy is one small file.
 *
 * <p>In: names and numbers from the scheduler object. Out: a {@link
 * io.millrace.schedulers.core.policy.Policy}, which says in which order jobs are considered, in
 * which order they fill gaps, how many of the first that cannot start get a promise, and whether
 * others may pass them.
 *
 * <p>Invariant: policies and their parts are immutable and without state of their own; orders are
 * total, since no two jobs of a shard have the same rank.
 */
package io.millrace.schedulers.core.policy;
