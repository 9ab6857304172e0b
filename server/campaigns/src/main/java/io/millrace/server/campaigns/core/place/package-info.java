/**
 * Where tasks were that are over.
 *
 * <p>Comes in: which task ended at which cluster. Goes out: the cluster of a task. A run of tasks
 * that were at one cluster takes as much as one of them.
 */
package io.millrace.server.campaigns.core.place;
