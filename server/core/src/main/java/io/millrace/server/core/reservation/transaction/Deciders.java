package io.millrace.server.core.reservation.transaction;

import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.Timer;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.Ending;
import io.millrace.server.core.reservation.LostNodes;
import io.millrace.server.core.reservation.PartAnswers;
import io.millrace.server.core.reservation.Revision;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.state.Copies;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides what becomes of open transactions. */
public final class Deciders {
  private static final String ABORTED = "its transaction was aborted";

  public Decision decide(Context c, SettleReservation command) {
    Reservation before =
        Reservations.find(c.view(), ReservationIds.number(command.getReservationId()));
    if (before == null || !before.getId().equals(command.getReservationId())) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    if (!c.isOperator() && !before.getSpec().getOwner().equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (before.getWhole() != null) {
      return Decision.rejected(
          c,
          PbsError.BAD_STATE,
          PartAnswers.name(before) + ", which is decided for all of its parts");
    }
    ReservationTransaction open = before.getPending();
    if (open == null || TransactionTimes.dueMs(before) <= c.nowMs()) {
      return Decision.rejected(c, PbsError.BAD_STATE, ": no transaction is open");
    }
    boolean asked = before.getShares().isEmpty() || before.getAsked() != null;
    if (command.getCommit() && asked) {
      return Decision.rejected(c, PbsError.BAD_STATE, ": the scheduler has not decided yet");
    }
    if (command.getCommit() && leavesNodes(before, open)) {
      return Decision.rejected(c, PbsError.BAD_STATE, ": a lost node was replaced meanwhile");
    }
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    Decision decision = Decision.done(c);
    if (command.getCommit()) {
      commit(c, before, by, decision);
    } else {
      abort(c, before, by, ABORTED, decision);
    }
    return decision;
  }

  /** A part stays or ends, as was decided for the whole of which it is one. */
  public Decision decide(Context c, SettlePart command) {
    Reservation part =
        Reservations.find(c.view(), ReservationIds.number(command.getReservationId()));
    Decision decision = Decision.none();
    if (!PartAnswers.isOf(part, command)) {
      return PartAnswers.gone(c, command, decision);
    }
    if (Reservations.isClosing(part)) {
      return decision;
    }
    if (command.getCommit()) {
      if (part.getPending() != null) {
        commit(c, part, command.getBy(), decision);
      }
      PartAnswers.tell(c, part, PartState.COMMITTED, "", decision);
      return decision;
    }
    Reservation last = Copies.of(part);
    last.setForget(command.getForget());
    if (part.getPending() != null) {
      abort(c, last, command.getBy(), command.getWhy(), decision);
    } else {
      Ending.close(
          c, last, ReservationState.BEING_DELETED, command.getBy(), command.getWhy(), decision);
    }
    return decision;
  }

  /** Whether a node would go on which jobs may run already, and which nothing would hold then. */
  private static boolean leavesNodes(Reservation before, ReservationTransaction open) {
    Set<String> kept =
        open.getBooked().stream().map(BookedNode::getNode).collect(Collectors.toSet());
    return before.getStartedMs() >= 0
        && !kept.isEmpty()
        && !kept.containsAll(before.getBooked().stream().map(BookedNode::getNode).toList());
  }

  /** The time of an open transaction is over. */
  public Decision reservationPending(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation before = c.view().table(Reservation.class).get(timer.getSubject());
    if (before != null && before.getPending() != null) {
      abort(c, before, "", "its transaction was neither committed nor aborted in time", decision);
    }
    return decision;
  }

  private static void commit(Context c, Reservation before, String by, Decision decision) {
    ReservationTransaction open = before.getPending();
    Reservation after = Revision.of(c, before);
    after.setPending(null);
    if (open.getSpec() != null) {
      after.setSpec(open.getSpec());
    }
    if (!open.getBooked().isEmpty()) {
      after.setShares(open.getShares());
      after.setNodes(open.getNodes());
      after.setBooked(open.getBooked());
      after.setLost(LostNodes.of(c, after));
    }
    PastOccurrences.changed(c, before, after);
    decision.fact(
        new ReservationSettled(
            c.stamp(), Revision.settled(c, after), true, "", by, open.getKind()));
    if (open.getKind() == TransactionKind.CANCEL || open.getKind() == TransactionKind.DESTROY) {
      Reservation last = Copies.of(after);
      last.setForget(open.getKind() == TransactionKind.DESTROY);
      Ending.close(c, last, ReservationState.BEING_DELETED, by, "deleted", decision);
    }
  }

  private static void abort(
      Context c, Reservation before, String by, String why, Decision decision) {
    boolean fresh = before.getPending().getKind() == TransactionKind.RESERVE;
    Reservation after = Revision.of(c, before);
    after.setPending(null);
    if (!fresh) {
      after.setAsked(null);
      Revision.answer(after, Revision.DENIED, why, decision);
    }
    TransactionKind kind = before.getPending().getKind();
    decision.fact(
        new ReservationSettled(c.stamp(), Revision.settled(c, after), false, why, by, kind));
    if (fresh) {
      after.setOnlyHeld(true);
      Ending.close(c, after, ReservationState.BEING_DELETED, by, why, decision);
    }
  }
}
