package io.millrace.reservations.timeline;

import java.util.Arrays;

/**
 * One holder of consumables: the cluster, a host, a queue instance or a parallel environment, with
 * the use of each over time.
 *
 * <p>Times are as in {@link UsageProfile}; a window [from, to) that is empty means the one unit at
 * its beginning.
 */
public final class Container {

  /** Time from which a resource that was never used is free. */
  public static final long ALWAYS = Long.MIN_VALUE;

  /** Capacity of a resource that the container does not limit. */
  public static final long ABSENT = Long.MIN_VALUE;

  private final long[] capacities;

  /** Use of each resource over time; null until it is used. */
  private final UsageProfile[] profiles;

  /**
   * An unused container.
   *
   * @param capacities by resource; {@link #ABSENT} for those that it does not limit
   */
  public Container(long... capacities) {
    this.capacities = capacities.clone();
    this.profiles = new UsageProfile[capacities.length];
  }

  /** Whether the container limits the resource. */
  public boolean limits(int resource) {
    return capacities[resource] != ABSENT;
  }

  /** Amount that can be in use at once. */
  public long capacity(int resource) {
    return capacities[resource];
  }

  /** Largest amount in use at any time of a window. */
  public long most(int resource, long from, long to) {
    UsageProfile profile = profiles[resource];
    return profile == null ? 0 : profile.max(from, Math.max(to, from + 1));
  }

  /** Amount that is free throughout a window; negative when the capacity is exceeded. */
  public long left(int resource, long from, long to) {
    return capacities[resource] - most(resource, from, to);
  }

  /** Amount that is free after the last known end. */
  public long leftForGood(int resource) {
    UsageProfile profile = profiles[resource];
    return capacities[resource] - (profile == null ? 0 : profile.used(profile.steps() - 1));
  }

  /**
   * Time from which on an amount stays free: the end of the last step that leaves too little. Gaps
   * before that are not found.
   *
   * @return {@link #ALWAYS} when it is free at all times, {@link UsageProfile#NEVER} when it is not
   *     even at the end
   */
  public long freeForGood(int resource, long amount) {
    if (amount > capacities[resource]) {
      return UsageProfile.NEVER;
    }
    UsageProfile profile = profiles[resource];
    return profile == null ? ALWAYS : profile.neverAbove(capacities[resource] - amount);
  }

  /**
   * Time from which on everything stays free that this many slots take here, the first slot
   * included.
   */
  long freeForGood(Claim claim, int slots) {
    long time = ALWAYS;
    for (int resource : claim.resources()) {
      if (limits(resource) && time != UsageProfile.NEVER) {
        long amount = claim.taken(resource, slots, true);
        time = Math.max(time, freeForGood(resource, amount));
      }
    }
    return time;
  }

  /**
   * Slots of a claim for which there is room throughout a window; {@link Integer#MAX_VALUE} when
   * nothing limits them. Resources taken once per booking are left out, see {@link #hasOnce}.
   */
  public int room(Claim claim, long from, long to) {
    long room = Integer.MAX_VALUE;
    for (int resource : claim.resources()) {
      if (limits(resource) && claim.share(resource) != Claim.AmountCounting.ONCE) {
        long left = left(resource, from, to);
        boolean whole = claim.share(resource) == Claim.AmountCounting.WHOLE;
        long here = whole && left >= claim.amount(resource) ? room : left / claim.amount(resource);
        room = Math.min(room, Math.max(0, here));
      }
    }
    return (int) room;
  }

  /** Whether what a claim takes once per booking is free throughout a window. */
  boolean hasOnce(Claim claim, long from, long to) {
    for (int resource : claim.resources()) {
      if (limits(resource)
          && claim.share(resource) == Claim.AmountCounting.ONCE
          && left(resource, from, to) < claim.amount(resource)) {
        return false;
      }
    }
    return true;
  }

  /** Latest time, at most the given one, at which the use of a claimed resource changes. */
  long lastChange(Claim claim, long time) {
    long last = ALWAYS;
    for (int resource : claim.resources()) {
      UsageProfile profile = profiles[resource];
      if (profile != null && limits(resource)) {
        last = Math.max(last, profile.time(profile.stepAt(time)));
      }
    }
    return last;
  }

  /** Adds an amount to the use within [from, to); a negative amount takes it back. */
  public void debit(int resource, long from, long to, long amount) {
    if (profiles[resource] == null) {
      profiles[resource] = new UsageProfile();
    }
    profiles[resource].debit(from, to, amount);
  }

  /** Debits what this many slots of a booking take; sign -1 gives it back. */
  void book(Booking booking, int slots, boolean first, int sign) {
    Claim claim = booking.claim();
    Window window = booking.window();
    for (int resource : claim.resources()) {
      if (limits(resource)) {
        long amount = claim.taken(resource, slots, first);
        debit(resource, window.from(), window.to(), sign * amount);
      }
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(profiles);
  }
}
