package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRunState;
import java.time.Duration;

/**
 * When the claim of a run is looked for of which it is not known that it has begun: at once when it
 * comes to another state outside, and each second while it stays there. Each look goes to a file,
 * and a cluster that is silent can leave thousands of runs that are not heard of: of these in
 * pauses that grow.
 */
final class ClaimLooks {

  private static final long PAUSE_NS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_NS = Duration.ofMinutes(1).toNanos();

  private OutsideRunState shown = OutsideRunState.ORDERED;
  private long lookedNs;
  private long pauseNs;

  /**
   * Whether it is looked for now.
   *
   * @param nowNs of a clock that does not leap, as {@link System#nanoTime}
   */
  boolean isDue(OutsideRunState state, long nowNs) {
    if (!state.isOutside() || state.isWaitingOutside()) {
      shown = state;
      return false;
    }
    boolean other = state != shown;
    if (!other && nowNs - lookedNs < pauseNs) {
      return false;
    }
    boolean grows = !other && state == OutsideRunState.NOT_HEARD_OF;
    pauseNs = grows ? Math.min(2 * pauseNs, LONGEST_NS) : PAUSE_NS;
    shown = state;
    lookedNs = nowNs;
    return true;
  }
}
