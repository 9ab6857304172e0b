/**
 * How the Origin2000 dialect decides: NAS's scheduler for machines of nodes with two processors
 * each.
 *
 * <p>Comes in: a configuration, what hosts, queues and jobs are like, what the scheduler remembers,
 * and the time. Goes out: what is done with which job, and the memory for the next cycle. The
 * sub-packages: {@code config} (options), {@code calendar} (prime time), {@code dedicated}, {@code
 * usage} (past usage and allocations), {@code order} and {@code plan} (the cycle).
 *
 * <p>Invariant: nothing here reads a clock, a file or the network; what only the outside can answer
 * is asked through one interface.
 */
package io.millrace.schedulers.dialects.origin2000;
