/**
 * Subject reservation.whole: reservations made of parts in several partitions, all or none.
 *
 * <p>In: ReserveTogether and DeleteTogether of users, and what the shards of the parts say of them
 * (AnswerPart). Out: HoldPart and SettlePart to these shards; WholeBegun, PartHeld, WholeDecided,
 * PartSettled, WholeAnswered, WholeEnded.
 *
 * <p>Invariant: no part is told to stay before all are held, and none is left alone: a part that
 * belongs to nothing, or to what is ending, is told to go whenever it is heard of. A part that is
 * held ends by no time of its own, so a decision never comes too late for one of them.
 */
package io.millrace.server.core.reservation.whole;
