/**
 * Whether a job may enter a queue, and what it asks for there.
 *
 * <p>In: a job's specification, the queue, and the way on which the job comes: a submission, a
 * move, an alteration. Out: the specification with the defaults of queue and server, or a refusal
 * in PBS's words.
 *
 * <p>Invariant: what was let in by one decision counts for the rest of it, so that the jobs of one
 * command cannot pass a limit together.
 */
package io.millrace.server.core.admission;
