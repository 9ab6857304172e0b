/**
 * The Grid Engine dialect: its configuration texts, its requests and its way to decide.
 *
 * <p>Comes in: texts as {@code qconf} prints them, requests as {@code qsub} takes them. Goes out:
 * for a state and a time, which task starts where, which one is promised a later start, and why
 * each other one waits. The sub-packages: {@code options} (one table of options for parser,
 * printer, explanation, documentation and the test that resets each option), {@code cluster}
 * (queues, hosts, environments, complexes), {@code request}, {@code schedule} (the decision),
 * {@code replay} (a recorded session again).
 *
 * <p>Invariant: nothing here reads a clock, a file or the network; the same state and time give the
 * same decisions.
 */
package io.millrace.schedulers.dialects.gridengine;
