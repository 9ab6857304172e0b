package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;

/** When a run or a proposal will have ended as far as is known, and how it shares its nodes. */
public class ExpectedEnd {

  private final long number;
  private final int chunks;
  private final Sharing asked;
  private long endMs;

  /**
   * @param number of the job
   * @param chunks over all its nodes
   * @param endMs {@link UsageProfile#FOREVER} when nobody knows
   */
  ExpectedEnd(long number, int chunks, Sharing asked, long endMs) {
    this.number = number;
    this.chunks = chunks;
    this.asked = asked;
    this.endMs = endMs;
  }

  public final long number() {
    return number;
  }

  final int chunks() {
    return chunks;
  }

  /** What the job asks for: who else may be there is said by its nodes, too. */
  final Sharing asked() {
    return asked;
  }

  public final long endMs() {
    return endMs;
  }

  public final boolean ends() {
    return endMs != UsageProfile.FOREVER;
  }

  /** It lasts longer than was expected. Whoever keeps ends in order must not know it meanwhile. */
  final void lastsUntil(long laterMs) {
    endMs = laterMs;
  }

  /**
   * The order of ends: by time, then the smaller first, so that a tie is broken the same way
   * everywhere.
   */
  static boolean before(ExpectedEnd a, ExpectedEnd b) {
    if (a.endMs != b.endMs) {
      return a.endMs < b.endMs;
    }
    return a.chunks != b.chunks ? a.chunks < b.chunks : a.number < b.number;
  }
}
