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
   * @param watched those that cannot, but whose changes of use are tried as start times all the
   *     same
   * @param neverFirst open ones that cannot give the first slot
   * @param mostOfHost most slots that a host may ever give, by its number; empty when only its use
   *     limits them
   */
  public record Candidates(int[] open, int[] watched, BitSet neverFirst, int[] mostOfHost) {

    /** Places all of which can give slots. */
    public static Candidates of(int... open) {
      return new Candidates(open, new int[0], new BitSet(), new int[0]);
    }

    int most(int host) {
      return mostOfHost.length == 0 ? Integer.MAX_VALUE : mostOfHost[host];
    }
  }

  /** The same on other places. */
  public ParallelRequest on(Candidates others) {
    return others == places
        ? this
        : new ParallelRequest(claim, environment, slots, exactPerHost, duration, others);
  }

  /** Number of slots that a host contributes when its use leaves room for {@code room}. */
  int share(int host, int room) {
    int possible = Math.min(room, places.most(host));
    if (exactPerHost > 0) {
      return possible >= exactPerHost ? exactPerHost : 0;
    }
    return Math.min(possible, slots);
  }

  /** Whether a host can ever contribute slots. */
  boolean mayCount(int host) {
    return places.most(host) >= leastPerHost();
  }

  /** Smallest number of slots that a host must give to contribute. */
  int leastPerHost() {
    return Math.max(1, exactPerHost);
  }
}
