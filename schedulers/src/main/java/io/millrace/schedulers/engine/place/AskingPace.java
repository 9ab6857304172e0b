package io.millrace.schedulers.engine.place;

/** How long an engine waits before it asks for its place again: longer each time in vain. */
public final class AskingPace {

  static final long FIRST_MS = 100;
  static final long LONGEST_MS = 5_000;

  private long lastMs;

  /**
   * The next pause.
   *
   * @param hadPlace whether it has scheduled since the last one
   */
  public long nextMs(boolean hadPlace) {
    boolean anew = hadPlace || lastMs == 0;
    lastMs = anew ? FIRST_MS : Math.min(LONGEST_MS, 2 * lastMs);
    return lastMs;
  }
}
