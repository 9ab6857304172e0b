/**
 * Subject run.task: a run has more processes than its script, on any of its hosts.
 *
 * <p>In: LaunchTask of the job's owner, which names the run that it means and a line of its node
 * file. Out: TaskOrdered and the order StartRun with a task for that line's host. The command is
 * answered when the task has ended, with its exit status; a repeated one finds its task and joins
 * the wait. A run remembers the commands that ordered its tasks for as long as it lasts. Ends of
 * tasks are told like those of runs ({@link io.millrace.server.core.run.finished}).
 *
 * <p>Invariant: a task is ordered once, on a host that its run holds, and while the run's script
 * runs; a run ends after all its tasks.
 */
package io.millrace.server.core.run.task;
