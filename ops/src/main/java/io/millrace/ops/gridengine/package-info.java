/**
 * The Grid Engine dialect at the command line: checking and explaining policy texts, replaying
 * recorded sessions from their folders.
 *
 * <p>Comes in: files of a user. Goes out: lines for the user, and the files {@code schedule} and
 * {@code outcome.json} of a replay. Invariant: reads and writes; all that is decided is decided in
 * {@code io.millrace.schedulers.dialects.gridengine}. Wrong input is one line with file, line and
 * reason.
 */
package io.millrace.ops.gridengine;
