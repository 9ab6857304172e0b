/**
 * {@code sge/qsub}: what is asked for, and what it becomes.
 *
 * <p>Comes in: the words of a command line, of {@code -@} files and of {@code #$} lines. Goes out:
 * jobs for a shard, one for each task, and how their starts and ends are told to a qsub that stays.
 *
 * <p>Invariant: a submission goes out as a whole or its user is told how much of it got through.
 */
package io.millrace.server.gridengine.submit;
