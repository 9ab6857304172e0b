/**
 * Subject handover: jobs and nodes that cross from one shard to another, and the answers that a
 * queue's old shard remembers.
 *
 * <p>In: OfferJob, AnswerOffer, OfferNode, AnswerNodeOffer, NoteWhereabouts. Out: JobOffered and
 * JobHandedOver or JobKept on the old side, JobAccepted or JobOfferRefused on the new one; the same
 * for nodes. TakeAnswers and its AnswersTaken after a change that moved queues (QueuesArrived).
 *
 * <p>Invariant: the old side keeps the object until the other has accepted it; the messages travel
 * in the transactions of the facts, so a crash resumes where it was.
 */
package io.millrace.server.core.handover;
