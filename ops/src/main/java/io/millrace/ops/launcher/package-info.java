/**
 * The program behind {@code ./millrace WORD}.
 *
 * <p>In: a command line. Out: what the word does and its exit status; 2 for a wrong command line, 1
 * for what could not be done, each told in one line.
 *
 * <p>Invariant: it knows no word: it finds them, and nothing but the build of the distribution
 * knows it.
 */
package io.millrace.ops.launcher;
