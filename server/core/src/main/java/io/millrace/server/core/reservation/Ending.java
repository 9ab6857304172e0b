package io.millrace.server.core.reservation;

import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;

/** Ends of reservations: first their jobs, then they and their queues. */
public final class Ending {
  /** Who deletes jobs when nobody asked for it. */
  private static final String SERVER = "server";

  private Ending() {}

  /**
   * There is no room: a new reservation goes, an altered one stays as it was.
   *
   * @return the record after the denial
   */
  static Reservation deny(Context c, Reservation before, String why, Decision decision) {
    Reservation after = Revision.of(c, before);
    Revision.answer(after, Revision.DENIED, why, decision);
    boolean fresh = before.getAsked() == null;
    after.setAsked(null);
    after.setPending(null);
    decision.fact(new ReservationDenied(c.stamp(), Revision.settled(c, after), why));
    if (fresh) {
      close(c, after, ReservationState.BEING_DELETED, "", why, decision);
    }
    return after;
  }

  /**
   * Ends it now, or once its jobs are gone.
   *
   * @param state BEING_DELETED, or DELETING_JOBS when its window is over
   * @param by who deleted it, or nobody
   */
  public static void close(
      Context c,
      Reservation before,
      ReservationState state,
      String by,
      String why,
      Decision decision) {
    Reservation after = Revision.of(c, before);
    Revision.answer(after, Revision.DENIED, why, decision);
    after.setAsked(null);
    after.setOnlyHeld(before.getOnlyHeld() || Reservations.isOnlyHeld(before));
    after.setPending(null);
    after.setRetryMs(0L);
    after.setState(state);
    after.setSubstate(state);
    after.setEndedBy(by);
    if (!ReservedJobs.any(c.view(), before.getNumber())) {
      end(c, after, why, decision);
      return;
    }
    decision.fact(new ReservationClosing(c.stamp(), after, why));
    deleteJobs(c, after, decision);
  }

  /** Looks again at one that is being deleted: a job has gone, or has come back. */
  static void goOn(Context c, Reservation closing, Decision decision) {
    if (ReservedJobs.any(c.view(), closing.getNumber())) {
      deleteJobs(c, closing, decision);
    } else {
      end(c, Revision.of(c, closing), "", decision);
    }
  }

  private static void deleteJobs(Context c, Reservation closing, Decision decision) {
    String by = closing.getEndedBy().isEmpty() ? SERVER : closing.getEndedBy();
    ReservationWork.deleteJobs(c, Keys.reserved(closing.getNumber()), by, decision);
  }

  private static void end(Context c, Reservation last, String why, Decision decision) {
    boolean over = last.getState() == ReservationState.DELETING_JOBS;
    ReservationState state = over ? ReservationState.FINISHED : ReservationState.DELETED;
    last.setState(state);
    last.setSubstate(state);
    PastOccurrences.ended(c, last);
    decision.fact(new ReservationEnded(c.stamp(), last, why));
    PartAnswers.tell(c, last, PartState.GONE, why, decision);
    if (Reservations.isMaintenance(last)) {
      ReservationWork.nodes(c, last, decision);
    }
  }
}
