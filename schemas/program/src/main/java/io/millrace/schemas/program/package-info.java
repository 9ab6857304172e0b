/**
 * The command line of our own programs: the words of {@code ./millrace} and the processes that it
 * starts. The commands of PBS and of Grid Engine read theirs as PBS and Grid Engine do.
 *
 * <p>In: the options that a program knows, and its arguments. Out: what was given, or one line that
 * says what is wrong and what would be right, or the help.
 *
 * <p>Invariant: only {@code ProgramOptions} uses the library that parses the arguments, and no
 * message of that library reaches a user.
 */
package io.millrace.schemas.program;
