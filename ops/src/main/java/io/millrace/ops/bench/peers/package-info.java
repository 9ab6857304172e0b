/**
 * The same work for Millrace and for other batch systems of this machine, one after the other.
 *
 * <p>In: an installation of Millrace, the commands of the others. Out: figures of each system, and
 * a table of them with ratios.
 *
 * <p>Invariant: what counts is what the jobs wrote, and each job has to have written once; no
 * system is asked how fast it was.
 */
package io.millrace.ops.bench.peers;
