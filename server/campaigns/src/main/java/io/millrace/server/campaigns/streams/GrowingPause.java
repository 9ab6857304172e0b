package io.millrace.server.campaigns.streams;

/** How long the thread of the campaigns waits before another try: twice as long each time. */
final class GrowingPause {

  /** A broker that is away for a moment is asked again so soon. */
  static final long FIRST_MS = 500;

  /** Shorter than a close waits, which waits for the pause too. */
  static final long MOST_MS = 8_000;

  /** After so long without a failure the next one is the first; a try may last two minutes. */
  static final long CALM_MS = 300_000;

  private long lastMs = -1;
  private long pauseMs;

  /**
   * @param nowMs time of a failure, of a clock that never goes back
   */
  synchronized long next(long nowMs) {
    boolean first = lastMs < 0 || nowMs - lastMs >= CALM_MS;
    pauseMs = first ? FIRST_MS : Math.min(MOST_MS, 2 * pauseMs);
    lastMs = nowMs;
    return pauseMs;
  }
}
