package io.millrace.connectors.local.report;

import io.millrace.schemas.command.ReportRunStarted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Reports that are to be sent, in their order. Nobody waits to hear that a run has begun, so that
 * this waits a moment for what else is to be told: of a short job the brokers get one request, not
 * two. Used under its owner's lock.
 */
final class WaitingReports {
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private final Deque<Report> waiting = new ArrayDeque<>();

  /** Reports that do not wait for others. */
  private int pressing;

  /** When the first report came that still waits. */
  private long sinceNanos;

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  void add(Report report, long nowNanos) {
    if (waiting.isEmpty()) {
      sinceNanos = nowNanos;
    }
    waiting.addLast(report);
    pressing += isPressing(report) ? 1 : 0;
  }

  /** One that is to be sent again, before all others and without a wait. */
  void putBack(Report report, long nowNanos) {
    sinceNanos = nowNanos - PATIENCE_NANOS;
    waiting.addFirst(report);
    pressing += isPressing(report) ? 1 : 0;
  }

  /** The next report; all that are here now are to go with it. */
  Report remove(long nowNanos) {
    Report report = waiting.removeFirst();
    pressing -= isPressing(report) ? 1 : 0;
    sinceNanos = nowNanos - PATIENCE_NANOS;
    return report;
  }

  /** How long the first one may still wait; 0 when it is to be sent now. */
  long patienceNanos(long nowNanos) {
    return pressing > 0 ? 0 : Math.max(0, PATIENCE_NANOS - (nowNanos - sinceNanos));
  }

  private static boolean isPressing(Report report) {
    return !(report.command() instanceof ReportRunStarted);
  }
}
