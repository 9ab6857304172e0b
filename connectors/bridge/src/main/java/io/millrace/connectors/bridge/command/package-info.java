/**
 * Commands of an outside system, started without a shell.
 *
 * <p>In: fixed words, text for standard input, an environment, a time limit and a bound of output.
 * Out: what the command printed and how it ended, as far as that is known.
 *
 * <p>Invariant: an answer that is not whole says so; nobody can take it for a whole one, since only
 * {@code OutsideAnswer.isWhole} answers have a status that means anything.
 */
package io.millrace.connectors.bridge.command;
