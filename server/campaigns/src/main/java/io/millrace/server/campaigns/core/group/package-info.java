/**
 * Several short tasks in one job, one after another: CiGri's temporal grouping.
 *
 * <p>In comes what is known of a cluster, and what is told of the job of several tasks; out goes
 * how many tasks go into one job, the job's command, and what each task would have been told if it
 * had had a job of its own. Invariant: each task of a job has exactly one end by it.
 */
package io.millrace.server.campaigns.core.group;
