package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.system.OutsideId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Where a later process has to read on: before the records that the queue has not agreed to yet,
 * since nobody but this process knows of them.
 */
final class SafeCursor {

  /** So long the queue may show a job that has ended; what waits longer is no end. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** A piece of accounting with records that wait for the queue. */
  private record WaitingPiece(String before, Set<OutsideId> waiting, Instant at) {}

  private final Deque<WaitingPiece> pieces = new ArrayDeque<>();
  private final Set<OutsideId> known = new HashSet<>();

  /**
   * A piece was read.
   *
   * @param before the cursor before it
   * @param waiting all jobs whose records wait for the queue
   */
  void read(String before, Set<OutsideId> waiting, Instant at) {
    Set<OutsideId> fresh = new HashSet<>(waiting);
    fresh.removeAll(known);
    if (!fresh.isEmpty()) {
      pieces.add(new WaitingPiece(before, fresh, at));
      known.addAll(fresh);
    }
  }

  /**
   * @param cursor behind all that was read
   * @param waiting all jobs whose records wait for the queue now
   */
  String of(String cursor, Set<OutsideId> waiting, Instant now) {
    known.retainAll(waiting);
    while (!pieces.isEmpty()
        && (pieces.peek().at().plus(LONGEST).isBefore(now)
            || Collections.disjoint(pieces.peek().waiting(), waiting))) {
      pieces.remove();
    }
    return pieces.isEmpty() ? cursor : pieces.peek().before();
  }
}
