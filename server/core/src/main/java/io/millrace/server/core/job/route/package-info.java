/**
 * Subject job.route: jobs in routing queues go on to the first destination that takes them.
 *
 * <p>In: continued work for a job that has come, was released or altered, and for a queue whose
 * time to try again has come or that was started. Out: JobMoved to a destination in this shard,
 * JobOffered for one elsewhere (the hand-over ends as that of a move does), JobRouteRefused,
 * RoutingAdvanced, and JobDeleted for a job that no destination will take or that waited too long.
 *
 * <p>Invariant: a job is in one queue at any time; a started routing queue with a job that may be
 * routed has a pass under way or a timer for the next one.
 */
package io.millrace.server.core.job.route;
