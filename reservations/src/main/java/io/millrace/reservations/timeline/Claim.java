package io.millrace.reservations.timeline;

import java.util.Arrays;

/**
 * What a request takes of each resource. Resources are numbered from 0 by the caller; a container
 * that does not have one of them does not limit it.
 */
public final class Claim {

  /** How many times a booking takes an amount. */
  public enum AmountCounting {
    /** Once for each slot. */
    EACH_SLOT,
    /** Once per booking, in the container of the first slot and in the cluster. */
    ONCE,
    /** The whole of each container that is used; no other booking may use it at the same time. */
    WHOLE
  }

  private final long[] amounts;
  private final AmountCounting[] shares;
  private final int[] taken;
  private final boolean once;

  private Claim(long[] amounts, AmountCounting[] shares) {
    this.amounts = amounts;
    this.shares = shares;
    this.taken =
        java.util.stream.IntStream.range(0, amounts.length)
            .filter(resource -> amounts[resource] != 0)
            .toArray();
    this.once = Arrays.stream(taken).anyMatch(resource -> shares[resource] == AmountCounting.ONCE);
  }

  /**
   * A claim on resources by number.
   *
   * @param amounts by resource; 0 for resources that it does not take
   * @param shares by resource
   */
  public static Claim of(long[] amounts, AmountCounting[] shares) {
    return new Claim(amounts.clone(), shares.clone());
  }

  /** A claim that takes these amounts for each slot. */
  public static Claim ofEachSlot(long... amounts) {
    AmountCounting[] shares = new AmountCounting[amounts.length];
    Arrays.fill(shares, AmountCounting.EACH_SLOT);
    return new Claim(amounts.clone(), shares);
  }

  /** Numbers of the resources that the claim takes; callers must not change the array. */
  int[] resources() {
    return taken;
  }

  AmountCounting share(int resource) {
    return shares[resource];
  }

  long amount(int resource) {
    return amounts[resource];
  }

  /** Whether the claim takes a resource once per booking, with the first slot. */
  public boolean takesOnce() {
    return once;
  }

  /**
   * Amount of a resource that slots take of a container.
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
