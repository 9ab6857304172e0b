/**
 * What a word of {@code ./millrace} is, how it is found, and how it speaks to its user.
 *
 * <p>In: the name that a user typed. Out: the word that a package of this module provides under
 * that name, in {@code META-INF/services/io.millrace.ops.word.Word}.
 *
 * <p>Invariant: this package knows no word, and neither does the launcher; whoever adds one writes
 * its class beside its subject and its line into that file, whose order is that of the help.
 */
package io.millrace.ops.word;
