/**
 * One installation: the parts that a home consists of, and the words {@code up}, {@code down},
 * {@code upgrade} and {@code status} that start, stop, replace and show them.
 *
 * <p>Beside the parts there is a keeper, which starts them again when they died.
 *
 * <p>In: a home and what {@code up} was asked for. Out: a cluster that is initialised and whose
 * parts run; for benchmarks and fault injection its parts one by one.
 *
 * <p>Invariant: {@code up} brings what is missing and changes nothing that runs; parts of two
 * builds never work together in one home.
 */
package io.millrace.ops.installation;
