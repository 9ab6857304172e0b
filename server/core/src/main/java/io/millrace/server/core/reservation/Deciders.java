package io.millrace.server.core.reservation;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides reservations. */
public final class Deciders {
  public Decision decide(Context c, SubmitReservation command) {
    return Decision.rejected(c, PbsError.UNSUPPORTED);
  }

  public Decision decide(Context c, DeleteReservation command) {
    return Decision.rejected(c, PbsError.UNSUPPORTED);
  }

  public Decision decide(Context c, AlterReservation command) {
    return Decision.rejected(c, PbsError.UNSUPPORTED);
  }

  public Decision decide(Context c, ConfirmReservation command) {
    return Decision.rejected(c, PbsError.UNSUPPORTED);
  }

  public Decision decide(Context c, DenyReservation command) {
    return Decision.rejected(c, PbsError.UNSUPPORTED);
  }

  public Decision reservationStart(Context c, Timer timer) {
    return Decision.fired(c, timer);
  }

  public Decision reservationEnd(Context c, Timer timer) {
    return Decision.fired(c, timer);
  }

  public Decision reservationAnswer(Context c, Timer timer) {
    return Decision.fired(c, timer);
  }

  public Decision reservationClosing(Context c, Timer timer) {
    return Decision.fired(c, timer);
  }

  public Decision reservationNodes(Context c, Continue work) {
    return Decision.none();
  }
}
