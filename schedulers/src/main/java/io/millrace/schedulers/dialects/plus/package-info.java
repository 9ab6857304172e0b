/**
 * The policy of PluS's own scheduler, from its {@code sched_conf}.
 *
 * <p>Comes in: the text of the file. Goes out: attributes of a scheduler object, by which the cycle
 * of {@code core} orders jobs and nodes; or file, line and reason. {@link
 * io.millrace.schedulers.dialects.plus.PlusOption} is the table of options from which reader,
 * printer, explanation, page and the proofs of the options are made.
 *
 * <p>Invariant: what is accepted is obeyed; a line that decides nothing is told as a note.
 */
package io.millrace.schedulers.dialects.plus;
