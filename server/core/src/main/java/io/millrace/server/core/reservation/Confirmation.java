package io.millrace.server.core.reservation;

import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.CutText;

/** Decides what the scheduler of the partition proposes; a proposal of any other is stale. */
final class Confirmation {
  /** Most characters of a reason that is kept. */
  private static final int WHY_MAX = 1_000;

  private Confirmation() {}

  static Decision decide(Context c, ConfirmReservation command, RuleInForce rules) {
    Reservation before = Reservations.find(c.view(), command.getNumber());
    PbsError stale =
        stale(c, before, command.getScheduler(), command.getEpoch(), command.getRevision());
    if (stale != null) {
      return Decision.rejected(c, stale);
    }
    ReservationSpec asked = before.getAsked();
    boolean settled = Reservations.hasQueue(before) && asked == null && before.getLost().isEmpty();
    if (settled) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    boolean soonest = SoonestStart.isOpen(before);
    if (soonest && !SoonestStart.mayBegin(before, command.getStartMs())) {
      return Decision.rejected(c, PbsError.BAD_TIMES);
    }
    ReservationSpec open = soonest ? SoonestStart.at(before, command.getStartMs()) : asked;
    ReservationSpec spec = open == null ? before.getSpec() : open;
    if (asked == null && spec.getEndMs() <= c.nowMs()) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    String late = tooLate(c, before, spec);
    if (!late.isEmpty()) {
      Decision decision = Decision.done(c);
      Ending.deny(c, before, late, decision);
      return decision;
    }
    try {
      Reservation placed = new Placing(c, before, spec).on(command.getShares());
      if (!Reservations.hasQueue(before)) {
        Occurrences.place(c, before, placed, command);
      }
      if (asked != null) {
        Occurrences.alteredAlone(before, placed);
      }
      new ReservableCheck(c, before, command.getScheduler(), rules).check(placed);
      boolean held = asked != null && before.getPending() != null;
      Reservation after = held ? Pending.modified(c, before, placed) : begun(c, placed);
      after.setScheduler(command.getScheduler());
      Decision decision = Decision.done(c);
      Revision.answer(after, Revision.CONFIRMED, decision);
      decision.fact(
          new ReservationConfirmed(
              c.stamp(),
              after,
              command.getScheduler(),
              command.getEpoch(),
              held || isFresh(after)));
      SoonestStart.takeJob(c, before, decision);
      if (after.getPending() != null) {
        PartAnswers.tell(c, after, PartState.HELD, "", decision);
      }
      return decision;
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  /**
   * Why what was asked for cannot be any more; empty when it can. It is refused then, not left
   * open: it would be done when nobody expects it.
   */
  private static String tooLate(Context c, Reservation before, ReservationSpec spec) {
    boolean moved = spec.getStartMs() != before.getSpec().getStartMs();
    if (spec.getEndMs() <= c.nowMs()) {
      return "its time has passed";
    }
    if (moved && before.getStartedMs() >= 0 && ReservedJobs.any(c.view(), before.getNumber())) {
      return "it has begun and has jobs";
    }
    boolean alone = SoonestStart.hasLostItsJob(c, before);
    return alone ? "job " + before.getJob() + " does not wait any more" : "";
  }

  /** Whether all of it is held, and nothing there for good. */
  private static boolean isFresh(Reservation after) {
    return after.getPending() != null && after.getPending().getKind() == TransactionKind.RESERVE;
  }

  /** One whose window was moved into the future has not begun; its state follows. */
  static Reservation begun(Context c, Reservation after) {
    if (after.getSpec().getStartMs() > c.nowMs()) {
      after.setStartedMs(-1L);
      after.setIdleDueMs(0L);
    }
    return Revision.settled(c, after);
  }

  static Decision decide(Context c, DenyReservation command) {
    Reservation before = Reservations.find(c.view(), command.getNumber());
    PbsError stale =
        stale(c, before, command.getScheduler(), command.getEpoch(), command.getRevision());
    if (stale != null) {
      return Decision.rejected(c, stale);
    }
    if (Reservations.hasQueue(before) && before.getAsked() == null) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    Decision decision = Decision.done(c);
    Ending.deny(c, before, CutText.of(command.getWhy(), WHY_MAX), decision);
    return decision;
  }

  private static PbsError stale(
      Context c, Reservation before, String scheduler, long epoch, long revision) {
    if (!Epochs.holds(c.view(), scheduler, epoch)) {
      return PbsError.STALE_PROPOSAL;
    }
    if (before == null) {
      return PbsError.UNKNOWN_RESERVATION;
    }
    String serves = PartitionTable.schedulerOf(c.view(), before.getSpec().getPartition());
    boolean mine = scheduler.equals(serves) && revision == before.getRevision();
    return mine && !Reservations.isClosing(before) ? null : PbsError.STALE_PROPOSAL;
  }
}
