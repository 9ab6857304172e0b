package io.millrace.connectors.gridengine.reserve;

import java.util.List;
import java.util.Optional;

/**
 * The host group that notes on which hosts a queue was suspended for a reservation.
 *
 * @param name without the letter @
 * @param reservation for which it was
 * @param queue that was suspended
 * @param hosts on which it was
 */
record ClosedGroup(String name, String reservation, String queue, List<String> hosts) {

  /** Empty for any other group. */
  static Optional<ClosedGroup> of(String prefix, String name, List<String> hosts) {
    int at = name.indexOf(CellState.CLOSED);
    return at < prefix.length()
        ? Optional.empty()
        : Optional.of(
            new ClosedGroup(
                name,
                name.substring(prefix.length(), at),
                name.substring(at + CellState.CLOSED.length()),
                hosts));
  }
}
