/**
 * {@code ./millrace up|down|status|...}: the parts as processes.
 *
 * <p>In: a home folder and options. Out: running processes, each with its log under {@code log}, a
 * mark of its process under {@code run}, and a file there when it can serve.
 *
 * <p>Invariant: starting what runs already does nothing, and no process is stopped that is not
 * known, by process id, start time and boot, to be the part that was started.
 */
package io.millrace.ops.launcher;
