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
public record ParallelRequest(
    Claim claim, int environment, int slots, int exactPerHost, long duration, Candidates places) {

  /**
   * Queue instances that take part.
   *
   * @param open those that can give slots
   * @param watched those that cannot, but at whose changes of use a start is tried all the same
   * @param neverFirst those of the open ones that cannot give the first slot
   * @param mostOfHost slots that a host gives at any time at the most, by its number; empty when
   *     only what is used limits them
   */
  public record Candidates(int[] open, int[] watched, BitSet neverFirst, int[] mostOfHost) {

    /** All of them can give slots. */
    public static Candidates of(int... open) {
      return new Candidates(open, new int[0], new BitSet(), new int[0]);
    }

    int most(int host) {
      return mostOfHost.length == 0 ? Integer.MAX_VALUE : mostOfHost[host];
    }
  }

  /** Slots of a host that count of those for which its use leaves room. */
  int share(int host, int room) {
    int possible = Math.min(room, places.most(host));
    if (exactPerHost > 0) {
      return possible >= exactPerHost ? exactPerHost : 0;
    }
    return Math.min(possible, slots);
  }

  /** Whether a host may ever give so many slots that it counts. */
  boolean mayCount(int host) {
    return places.most(host) >= leastPerHost();
  }

  /** Fewest slots with which a host counts. */
  int leastPerHost() {
    return Math.max(1, exactPerHost);
  }
}
