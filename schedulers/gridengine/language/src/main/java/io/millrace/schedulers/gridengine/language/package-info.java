/**
 * The language of the Grid Engine dialect: what its administrators configure and its users ask for.
 *
 * <p>Comes in: texts as {@code qconf} prints them, requests as {@code qsub} takes them. Goes out:
 * the configuration of a cell, checked, and requests in its terms; the priorities of jobs, which
 * the scheduler goes by and {@code qstat} shows. The sub-packages: {@code options} (one table of
 * options for parser, printer, explanation, documentation and the test that resets each option),
 * {@code cluster} (queues, hosts, environments, complexes), {@code request}.
 *
 * <p>Invariant: both the scheduler and the command line read texts here and nowhere else. Nothing
 * here reads a clock, a file or the network, or decides anything.
 */
package io.millrace.schedulers.gridengine.language;
