package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;

/**
 * What has become free on the nodes of a pool, in the order in which it was noticed. A reader that
 * remembers its position needs to look at the entries behind it only; one that has fallen too far
 * behind has to look at all nodes.
 */
public final class GainLog {

  /** Number of entries that are kept; a power of two. */
  private static final int KEPT = 1024;

  /**
   * Nodes that are free, or freer, between two times.
   *
   * @param onlyThen true when only starts at {@code fromMs} or after can gain by it, false when
   *     every start whose run would reach into it can
   */
  public record Gain(NodeState[] nodes, long fromMs, long toMs, boolean onlyThen) {

    /** First start of a job of this length that can gain. */
    public long firstStartMs(long jobMs) {
      if (onlyThen || fromMs == Long.MIN_VALUE) {
        return fromMs;
      }
      return jobMs == UsageProfile.FOREVER ? Long.MIN_VALUE : fromMs - jobMs + 1;
    }

    /** True when a job that starts between the two times may find more room. */
    public boolean concerns(long firstMs, long lastMs, long lastEndMs) {
      return toMs > firstMs && fromMs < (onlyThen ? lastMs + 1 : lastEndMs);
    }
  }

  private final Gain[] ring = new Gain[KEPT];
  private long end = KEPT;

  void add(Gain gain) {
    ring[(int) (end++ & (KEPT - 1))] = gain;
  }

  /** Invalidates all positions: every reader has to look at all nodes once. */
  void breakOff() {
    end += KEPT;
  }

  /** Position behind the last entry. */
  public long end() {
    return end;
  }

  /** True when all entries since a position are still there. */
  public boolean reaches(long position) {
    return position >= 0 && end - position < KEPT;
  }

  public Gain get(long position) {
    return ring[(int) (position & (KEPT - 1))];
  }
}
