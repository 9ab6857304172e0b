package io.millrace.reservations.timeline;

import java.util.Arrays;

/**
 * What a request takes of each resource. Resources are numbered from 0 by the caller; a container
 * that does not have one of them does not limit it.
 */
public final class Claim {

  /** How often an amount is taken. */
  public enum Share {
    /** Once for each slot. */
    EACH_SLOT,
    /** Once, where the first slot is, and once of the cluster. */
    ONCE,
    /** Once of each container that is used, which must be unused: nobody else may be there. */
    WHOLE
  }

  private final long[] amounts;
  private final Share[] shares;
  private final int[] taken;
  private final boolean once;

  private Claim(long[] amounts, Share[] shares) {
    this.amounts = amounts;
    this.shares = shares;
    this.taken =
        java.util.stream.IntStream.range(0, amounts.length)
            .filter(resource -> amounts[resource] != 0)
            .toArray();
    this.once = Arrays.stream(taken).anyMatch(resource -> shares[resource] == Share.ONCE);
  }

  /**
   * A claim on resources 0 up to a number.
   *
   * @param amounts by resource; 0 for those that it does not take
   * @param shares by resource
   */
  public static Claim of(long[] amounts, Share[] shares) {
    return new Claim(amounts.clone(), shares.clone());
  }

  /** A claim of which each slot takes all. */
  public static Claim ofEachSlot(long... amounts) {
    Share[] shares = new Share[amounts.length];
    Arrays.fill(shares, Share.EACH_SLOT);
    return new Claim(amounts.clone(), shares);
  }

  /** Numbers of the resources that it takes. The caller must not change them. */
  int[] resources() {
    return taken;
  }

  Share share(int resource) {
    return shares[resource];
  }

  long amount(int resource) {
    return amounts[resource];
  }

  /** Whether something is taken once, where the first slot is. */
  public boolean takesOnce() {
    return once;
  }

  /**
   * What so many slots take of a container.
   *
   * @param first whether the first slot is among them
   */
  long taken(int resource, int slots, boolean first) {
    return switch (shares[resource]) {
      case EACH_SLOT -> amounts[resource] * slots;
      case ONCE -> first ? amounts[resource] : 0;
      case WHOLE -> amounts[resource];
    };
  }
}
