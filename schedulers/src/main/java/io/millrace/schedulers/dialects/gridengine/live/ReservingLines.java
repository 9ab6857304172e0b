package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.List;

/** Lines of the file schedule for advance reservations, each of which is told once: when made. */
final class ReservingLines {

  private ReservingLines() {}

  static List<String> of(LiveBookings bookings, Cluster cluster) {
    List<String> lines = new ArrayList<>();
    for (Reservation each : bookings.takeUntold()) {
      long fromS = LiveBookings.fromS(each);
      String head = "0:0:RESERVING:" + fromS + ":" + (LiveBookings.toS(each) - fromS) + ":";
      for (ConsumableUse use : bookings.uses(each, cluster)) {
        lines.add(
            head
                + use.level().letter()
                + ":"
                + use.container()
                + ":"
                + use.complex().name()
                + ":"
                + Numbers.six(use.amount()));
      }
    }
    return lines;
  }
}
