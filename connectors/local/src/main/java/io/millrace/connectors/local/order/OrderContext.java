package io.millrace.connectors.local.order;

import io.millrace.connectors.local.report.Announcer;
import io.millrace.connectors.local.report.ReportSender;
import io.millrace.connectors.local.report.Reports;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.RunId;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the handlers of orders share.
 *
 * @param room lets time pass for an order that found no room on the disk; is interrupted when there
 *     is to be none
 */
public record OrderContext(Here here, Ways ways, RunOrders.RetryPause room) {
  private static final Logger log = LoggerFactory.getLogger(OrderContext.class);

  /** The identity of the executor. */
  public record Here(HostKey key, Reports.Self self) {
    String host() {
      return key.host();
    }
  }

  /**
   * The parts that handlers call.
   *
   * @param asked called when a shard asks for an announcement
   */
  public record Ways(
      Execution execution,
      RunReleases releases,
      ReportSender sender,
      Reports reports,
      Announcer announcer,
      Runnable asked) {}

  Execution execution() {
    return ways.execution();
  }

  /**
   * Sends an answer; the position stays before the order until the broker has it, as nothing else
   * remembers that it is due.
   */
  void answer(Reports.AbsentRun gone, long offset) {
    ways.releases().hold(offset);
    ways.sender().send(ways.reports().gone(gone, () -> ways.releases().settled(offset)));
  }

  /** Ends a run that was given up, with its tasks. */
  void discard(RunId id) {
    try {
      execution().discard(id);
    } catch (IOException e) {
      log.error("cannot end {}, which was given up: {}", id, e.toString());
    }
  }
}
