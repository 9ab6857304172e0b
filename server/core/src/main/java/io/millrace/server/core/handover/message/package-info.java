/**
 * What shards tell each other about a job or node that crosses between them.
 *
 * <p>In: a decision that sends a job or node on. Out: the first step of a hand-over, and news for
 * the birth shard of a job.
 *
 * <p>Invariant: what is offered is on record as offered before the other side hears of it.
 */
package io.millrace.server.core.handover.message;
