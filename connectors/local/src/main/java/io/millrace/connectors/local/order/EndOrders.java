package io.millrace.connectors.local.order;

import io.millrace.connectors.local.report.Reports;
import io.millrace.connectors.local.run.RunId;
import io.millrace.schemas.output.KillRun;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends runs. */
final class EndOrders {
  private static final Logger log = LoggerFactory.getLogger(EndOrders.class);
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  /** PBS's JOB_EXEC_INITABT: nothing is known of the run here. */
  private static final int UNKNOWN = -4;

  private final OrderContext desk;

  EndOrders(OrderContext desk) {
    this.desk = desk;
  }

  void carryOut(KillRun order, long offset) {
    try {
      if (ends(order)) {
        return; // its end is reported in any case
      }
    } catch (IllegalArgumentException e) {
      log.error("order to kill an illegally formed run: {}", e.getMessage());
    }
    String why = "host " + desk.here().host() + " has no such run";
    desk.answer(
        new Reports.AbsentRun(
            order.getShard(), order.getJobId(), order.getRun(), order.getTask(), UNKNOWN, why),
        offset);
  }

  /** Ends the run if it is known here; false when it is not. */
  boolean ends(KillRun order) {
    RunId id = new RunId(order.getJobId(), order.getRun(), order.getTask());
    boolean known = desk.execution().knows(id);
    if (known && order.getDiscard()) {
      desk.discard(id);
    } else if (known) {
      signal(id, order.getKillDelayS() == 0 ? SIGKILL : SIGTERM);
    }
    return known;
  }

  private void signal(RunId id, int signal) {
    try {
      desk.execution().kill(id, signal);
    } catch (IOException e) {
      log.error("cannot end {}: {}", id, e.toString());
    }
  }
}
