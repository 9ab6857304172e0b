/**
 * The cycle of the Origin2000 dialect.
 *
 * <p>Comes in: the rules, what the scheduler remembers, and what jobs, queues and hosts are like.
 * Goes out: the actions in their order and what was seen on the way. {@code OriginScheduler} goes
 * through the steps; {@code JobsInOrder} sorts, {@code DrainSearch} keeps nodes for the first jobs,
 * {@code Packing} starts.
 *
 * <p>Invariant: the same rules, memory, answers and view give the same actions.
 */
package io.millrace.schedulers.dialects.origin2000.plan;
