package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;

/** Expected end of a run or a proposal, and how it shares its nodes. */
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

  /** Sharing that the job asks for; the nodes' own {@code sharing} attributes decide with it. */
  final Sharing asked() {
    return asked;
  }

  public final long endMs() {
    return endMs;
  }

  public final boolean ends() {
    return endMs != UsageProfile.FOREVER;
  }

  /**
   * Moves the end to a later time. Sorted structures that hold this end must have it removed
   * before.
   */
  final void lastsUntil(long laterMs) {
    endMs = laterMs;
  }

  /**
   * Order of ends: by time, then by number of chunks, so that ties are broken the same way
   * everywhere.
   */
  static boolean before(ExpectedEnd a, ExpectedEnd b) {
    if (a.endMs != b.endMs) {
      return a.endMs < b.endMs;
    }
    return a.chunks != b.chunks ? a.chunks < b.chunks : a.number < b.number;
  }
}
