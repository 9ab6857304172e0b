/**
 * Subject job.move: a job goes to another queue.
 *
 * <p>In: MoveJob. Out: JobMoved inside a shard; JobOffered when the queue lives elsewhere, the
 * answer then comes at the end of the hand-over.
 *
 * <p>Invariant: a job is in one queue of one shard.
 */
package io.millrace.server.core.job.move;
