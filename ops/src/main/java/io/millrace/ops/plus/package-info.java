/**
 * PluS's texts at the command line: checking and explaining a {@code reservable.ad}, and the
 * dialect of {@code sched_conf}.
 *
 * <p>Comes in: the text of a file, and for an explanation a sample of who asks for what, from
 * options. Goes out: lines for the user, or one line with file, line, column and reason. Invariant:
 * what a text means is decided in {@code io.millrace.reservations.classad}.
 */
package io.millrace.ops.plus;
