/**
 * Where tasks were that are over, and how their last attempts went.
 *
 * <p>Comes in: which task ended at which cluster, and its attempt. Goes out: the cluster of a task,
 * its last attempt, its job and how long that ran. A run of tasks that were at one cluster takes as
 * much as one of them; an attempt takes few bytes.
 */
package io.millrace.server.campaigns.core.place;
