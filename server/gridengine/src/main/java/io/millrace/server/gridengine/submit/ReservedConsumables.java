package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.ReservedWords;

/** Whether a reservation has the licences and other consumables that a job in it asks for. */
final class ReservedConsumables {

  private ReservedConsumables() {}

  /** True for those of another command, too, whose jobs have what the cluster has. */
  static boolean suffice(Cell cell, Reservation reservation, Needs needs) {
    GridEngineReservation asked = reservation.getSpec().getGridEngine();
    if (asked == null) {
      return true;
    }
    Complexes complexes = cell.configuration().cluster().complexes();
    Needs reserved = Submission.of(ReservedWords.amounts(asked.getOptions())).needs(complexes);
    int slots = CellReservations.slots(cell, reservation);
    for (AttributeRequest each : needs.hard()) {
      Complex complex = each.complex();
      boolean counts = complex.consumable();
      double wanted = all(complex, each.amount(), needs.leastSlots());
      if (counts && wanted > all(complex, reserved.amount(complex), slots)) {
        return false;
      }
    }
    return true;
  }

  private static double all(Complex complex, double amount, int slots) {
    return complex.perJob() ? amount : amount * slots;
  }
}
