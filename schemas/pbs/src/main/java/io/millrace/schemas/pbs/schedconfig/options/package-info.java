/**
 * PBS's {@code sched_config}: one table of its options, from which reader, printer, explanation and
 * documentation come.
 *
 * <p>In: the text of a file. Out: {@link io.millrace.schemas.pbs.schedconfig.options.SchedConfig},
 * the values in prime and in non-prime time, and {@link
 * io.millrace.schemas.pbs.schedconfig.options.PolicyFinding}s: what is wrong with which line, and
 * what OpenPBS does with it.
 *
 * <p>Invariant: the values are always those that OpenPBS would take; whether a text with findings
 * is accepted at all is its reader's choice.
 */
package io.millrace.schemas.pbs.schedconfig.options;
