/**
 * The command line of our own programs: the words of {@code ./millrace} and the processes that it
 * starts. The commands of PBS and of Grid Engine read theirs as PBS and Grid Engine do.
 *
 * <p>In: the options that a program knows, and its arguments. Out: what was given, or one line that
 * says what is wrong and what would be right, or the help.
 *
 * <p>Invariant: what is asked of the library that splits the arguments stands in {@code
 * ProgramOptions} and nowhere else; nobody meets its texts.
 */
package io.millrace.schemas.program;
