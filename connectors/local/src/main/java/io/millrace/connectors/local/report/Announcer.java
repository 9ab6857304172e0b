package io.millrace.connectors.local.report;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.Topics;

/**
 * Announces the executor and its live runs to the shards. When a host comes back after days, orders
 * to end runs may have expired: a shard that hears of a run which it gave up has it ended.
 */
public final class Announcer {
  private final ReportSender sender;
  private final Reports reports;
  private final Reports.Self self;
  private final Execution execution;

  public Announcer(ReportSender sender, Reports reports, Reports.Self self, Execution execution) {
    this.sender = sender;
    this.reports = reports;
    this.self = self;
    this.execution = execution;
  }

  /** The announcement at the start, to all shards. */
  public void first(boolean takeOver, Runnable delivered) {
    Reports.Self first = new Reports.Self(self.bootId(), self.measured(), self.claim(), takeOver);
    sender.send(reports.nodeUp(Topics.ADMINISTRATIVE_SHARD, first, delivered));
    execution.begun().forEach(run -> sender.send(reports.goesOn(run)));
  }

  /**
   * The announcement to all shards after orders were lost; an executor that serves no shard reports
   * only its runs.
   */
  public void again() {
    if (!self.claim().lost()) {
      sender.send(reports.nodeUp(Topics.ADMINISTRATIVE_SHARD, self, () -> {}));
    }
    execution.begun().forEach(run -> sender.send(reports.goesOn(run)));
  }

  /**
   * The announcement to a shard that asked; if another executor serves the host there, only runs
   * are reported.
   *
   * @return whether the shard may have this executor serve the host
   */
  public boolean answer(int shard) {
    boolean mine = !self.claim().lost(shard);
    if (mine) {
      sender.send(reports.nodeUp(shard, self, () -> {}));
    }
    for (StartedRun run : execution.begun()) {
      if (ReportOrigin.of(run.origin()).shard() == shard) {
        sender.send(reports.goesOn(run));
      }
    }
    return mine;
  }
}
