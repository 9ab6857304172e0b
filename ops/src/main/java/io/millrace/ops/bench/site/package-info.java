/**
 * The installation that a benchmark measures, and what is measured of it: processor time by part
 * and group of threads, requests to the broker, loops of clients, the server's heap.
 *
 * <p>In: the options of {@code up}, command lines of a shell. Out: named figures, medians of them.
 *
 * <p>Invariant: figures are differences of counters that the processes keep anyway; nothing is
 * measured by what the measured parts would have to do in addition.
 */
package io.millrace.ops.bench.site;
