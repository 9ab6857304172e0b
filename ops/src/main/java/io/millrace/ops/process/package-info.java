/**
 * The parts of a home as processes of this machine.
 *
 * <p>In: the command line of a part. Out: a running process with its log under {@code log}, a pid
 * file under {@code run}, and a file there when it can serve; why it ended, when it did.
 *
 * <p>Invariant: starting what runs already does nothing, and no process is stopped that is not
 * known, by process id, start time and boot, to be the part that was started.
 */
package io.millrace.ops.process;
