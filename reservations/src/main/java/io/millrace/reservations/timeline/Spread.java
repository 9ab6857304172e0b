package io.millrace.reservations.timeline;

import java.util.BitSet;

/**
 * Slots of one parallel request.
 *
 * @param environment number of the parallel environment, or {@link Timeline#NONE}
 * @param slots how many it needs at once
 * @param exactPerHost how many each host that is used must give; 0 for as many as it has
 * @param duration in the unit of time; {@link UsageProfile#FOREVER} when no end is known
 * @param places where they may be
 */
public record Spread(
    Claim claim, int environment, int slots, int exactPerHost, long duration, Places places) {

  /**
   * Queue instances that take part.
   *
   * @param open those that can give slots
   * @param watched those that cannot, but at whose changes of use a start is tried all the same
   * @param neverFirst those of the open ones that cannot give the first slot
   */
  public record Places(int[] open, int[] watched, BitSet neverFirst) {

    /** All of them can give slots. */
    public static Places of(int... open) {
      return new Places(open, new int[0], new BitSet());
    }
  }

  /** Slots that count of those for which a host has room. */
  int share(int room) {
    if (exactPerHost > 0) {
      return room >= exactPerHost ? exactPerHost : 0;
    }
    return Math.min(room, slots);
  }

  /** Fewest slots with which a host counts. */
  int leastPerHost() {
    return Math.max(1, exactPerHost);
  }
}
