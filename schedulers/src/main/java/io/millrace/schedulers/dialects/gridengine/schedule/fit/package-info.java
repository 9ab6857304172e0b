/**
 * Whether a job fits one level of the cluster: an environment, the whole cluster, a host, a queue
 * instance.
 *
 * <p>In: what a slot of a job asks for, what the level has, a span of time. Out: yes or no, the
 * soft requests that are not met, and for a no the obstacle, which is put into words when somebody
 * reads it.
 *
 * <p>Invariant: jobs of one category get the same answer; what did not fit once in a run does not
 * fit again, since nothing is released within a run.
 */
package io.millrace.schedulers.dialects.gridengine.schedule.fit;
