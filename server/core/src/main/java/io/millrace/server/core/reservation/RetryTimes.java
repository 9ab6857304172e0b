package io.millrace.server.core.reservation;

import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.Context;

/**
 * When other nodes are looked for in the place of lost ones though nothing has happened that would
 * be a reason to: what is allowed may depend on the time.
 */
final class RetryTimes {

  private RetryTimes() {}

  /**
   * The next time, 0 for never. One that is to come stays, whatever the server's attribute says by
   * now, unless the start of the window comes before it, which is one, too.
   */
  static long next(Context c, Reservation reservation) {
    if (reservation.getLost().isEmpty()) {
      return 0;
    }
    long nowMs = c.nowMs();
    long seconds =
        Long.parseLong(
            c.server(AttributeTable.RESERVE_RETRY, AttributeTable.RESERVE_RETRY_USUAL_S));
    long startMs = reservation.getSpec().getStartMs();
    long knownMs = reservation.getRetryMs();
    long nextMs = knownMs > nowMs ? knownMs : nowMs + seconds * 1000;
    return nowMs < startMs && startMs < nextMs ? startMs : nextMs;
  }
}
