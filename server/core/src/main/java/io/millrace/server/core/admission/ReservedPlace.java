package io.millrace.server.core.admission;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.View;

/**
 * What a job may ask for in the queue of a reservation as far as other jobs go: as in PBS it has
 * nodes or hosts for itself only where the reservation has asked for that, too.
 */
final class ReservedPlace {
  private static final String WHAT = " Resource_List.place";

  private ReservedPlace() {}

  static void check(View view, JobSpec spec) throws PbsRefusal {
    Sharing job = sharing(spec.getRequest().getPlace());
    if (job.shares()) {
      return;
    }
    Reservation reservation = Reservations.ofQueue(view, spec.getQueue());
    if (reservation == null) {
      return;
    }
    Sharing has = sharing(reservation.getSpec().getRequest().getPlace());
    if (has.shares() || job == Sharing.EXCLHOST && has != Sharing.EXCLHOST) {
      throw new PbsRefusal(PbsError.RESERVATION_PLACE, WHAT);
    }
  }

  private static Sharing sharing(String place) {
    return PlaceRequest.of(place).sharing();
  }
}
