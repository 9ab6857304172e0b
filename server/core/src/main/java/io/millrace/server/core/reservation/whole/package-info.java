/**
 * Subject reservation.whole: reservations made of parts in several partitions, all or none.
 *
 * <p>In: ReserveTogether and DeleteTogether of users, what the shards of the parts say of them
 * (AnswerPart), and what is heard of parts in other installations (ReportSitePart). Out: HoldPart
 * and SettlePart to these shards; WholeBegun, PartHeld, SitesConfirming, SitePartSeen,
 * WholeDecided, PartSettled, WholeAnswered, WholeEnded. Who speaks to other installations reads in
 * the record what is wanted of them.
 *
 * <p>Invariant: no part is told to stay before all are held, and none is left alone: a part that
 * belongs to nothing, or to what is ending, is told to go whenever it is heard of. A part that is
 * held here ends by no time of its own, so a decision never comes too late for one of them. A part
 * in another installation may end by itself: it is told to stay first, and only when all of these
 * have said that they do, is it decided. What nobody says of it follows from the shard's time.
 */
package io.millrace.server.core.reservation.whole;
