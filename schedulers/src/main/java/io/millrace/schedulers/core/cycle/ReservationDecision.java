package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import java.util.List;

/**
 * What a cycle decides about a reservation.
 *
 * @param revision of the reservation that was looked at
 * @param shares where its chunks lie; null when there is no room for it
 * @param why there is no room; empty otherwise
 */
public record ReservationDecision(long number, long revision, List<NodeShare> shares, String why) {

  public boolean confirms() {
    return shares != null;
  }
}
