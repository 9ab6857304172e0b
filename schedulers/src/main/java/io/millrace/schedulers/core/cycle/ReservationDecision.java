package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import java.util.List;

/**
 * What a cycle decides about a reservation.
 *
 * @param revision of the reservation that was looked at
 * @param shares where its chunks lie; null when there is no room for it
 * @param why there is no room; empty otherwise
 * @param later where the later occurrences of a new standing reservation lie
 * @param startMs when one begins that is to be as soon as possible; 0 for all others
 */
public record ReservationDecision(
    long number,
    long revision,
    List<NodeShare> shares,
    String why,
    LaterPlacements later,
    long startMs) {

  /**
   * Where occurrences lie.
   *
   * @param placements each once
   * @param lies for each occurrence the index of its placement
   */
  public record LaterPlacements(List<List<NodeShare>> placements, List<Integer> lies) {
    static final LaterPlacements NONE = new LaterPlacements(List.of(), List.of());
  }

  public boolean confirms() {
    return shares != null;
  }
}
