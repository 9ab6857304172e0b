package io.millrace.connectors.local.order;

import io.millrace.connectors.local.report.Reports;
import io.millrace.connectors.local.run.RefusedRun;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.schemas.output.StartRun;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts runs, and tasks of runs. */
final class StartOrders {
  private static final Logger log = LoggerFactory.getLogger(StartOrders.class);

  /** PBS's JOB_EXEC_FAIL1: could not be started, and another try would not help. */
  private static final int FAILED = -1;

  private final OrderContext desk;

  StartOrders(OrderContext desk) {
    this.desk = desk;
  }

  void carryOut(StartRun order, long offset) throws InterruptedException {
    RunRequest request;
    try {
      request = OrderedRuns.of(order, offset);
      endEarlierRuns(request.id());
    } catch (IllegalArgumentException e) {
      refuse(order, offset, FAILED, e.getMessage());
      return;
    }
    RunReleases releases = desk.ways().releases();
    releases.hold(offset);
    boolean done = false;
    while (!done) {
      try {
        boolean taken = desk.execution().start(request);
        if (!taken || desk.execution().survives()) {
          releases.settled(offset);
        }
        done = true;
      } catch (RefusedRun e) {
        refuse(order, offset, e.exitStatus(), e.getMessage());
        done = true;
      } catch (IllegalArgumentException e) {
        refuse(order, offset, FAILED, e.getMessage());
        done = true;
      } catch (IOException e) {
        // On a full disk the order waits, and with it all later ones except ends of runs.
        log.error("cannot take on {}, trying again: {}", request.id(), e.toString());
        desk.room().pause();
      }
    }
  }

  private void refuse(StartRun order, long offset, int exitStatus, String why) {
    log.error("cannot start {} run {}: {}", order.getJobId(), order.getRun(), why);
    int task = order.getTask() == null ? 0 : order.getTask().getNumber();
    desk.answer(
        new Reports.AbsentRun(
            order.getShard(), order.getJobId(), order.getRun(), task, exitStatus, why),
        offset);
  }

  /**
   * Ends earlier runs of the same job with their tasks: a later run means that they were given up.
   */
  private void endEarlierRuns(RunId id) {
    if (id.run() > 1) {
      desk.execution().runs().stream().filter(id::follows).forEach(desk::discard);
    }
  }
}
