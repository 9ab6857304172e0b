package io.millrace.reservations.timeline;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Free and used amounts of every consumable over future time at four levels: the cluster, its
 * hosts, the queue instances on them, and parallel environments. A slot lives in a queue instance
 * and takes of it, of its host and of the cluster; slots of a parallel request take of their
 * environment too.
 *
 * <p>Simple semantics: each container is a set of step functions, and a request fits where each of
 * its containers has enough left. There are two searches for the earliest start, one for a single
 * slot and one for parallel requests. Both go backwards from the last known end, so only a job that
 * starts at once can use a gap before a promised start.
 */
public final class Timeline {

  /** Stands for the number of a parallel environment where there is none. */
  public static final int NONE = -1;

  private final Container cluster;
  private final List<Container> hosts;
  private final List<Container> queues;
  private final int[] hostOf;
  private final List<Container> environments;

  /**
   * A timeline of containers, which are numbered by their places in the lists.
   *
   * @param hostOf number of the host of each queue instance
   */
  public Timeline(
      Container cluster,
      List<Container> hosts,
      List<Container> queues,
      int[] hostOf,
      List<Container> environments) {
    this.cluster = cluster;
    this.hosts = List.copyOf(hosts);
    this.queues = List.copyOf(queues);
    this.hostOf = hostOf.clone();
    this.environments = List.copyOf(environments);
  }

  public Container cluster() {
    return cluster;
  }

  public Container host(int number) {
    return hosts.get(number);
  }

  public Container queue(int number) {
    return queues.get(number);
  }

  public Container environment(int number) {
    return environments.get(number);
  }

  /** Number of hosts. */
  public int hosts() {
    return hosts.size();
  }

  /** Number of the host of a queue instance. */
  public int hostOf(int queue) {
    return hostOf[queue];
  }

  /** Enters a booking at all levels; does not check whether there is enough. */
  public void debit(Booking booking) {
    book(booking, 1);
  }

  /** Gives back what was debited; with a later begin of its window, the rest of it. */
  public void release(Booking booking) {
    book(booking, -1);
  }

  private void book(Booking booking, int sign) {
    int total = booking.total();
    if (booking.environment() != NONE) {
      environment(booking.environment()).book(booking, total, true, sign);
    }
    cluster.book(booking, total, true, sign);
    for (int i = 0; i < booking.queues().length; i++) {
      int queue = booking.queues()[i];
      host(hostOf[queue]).book(booking, booking.slots()[i], i == 0, sign);
      queue(queue).book(booking, booking.slots()[i], i == 0, sign);
    }
  }

  /**
   * Time from which on one slot of a claim stays free in a queue instance and on its host; {@link
   * UsageProfile#NEVER} when never.
   */
  public long freeForGood(Claim claim, int queue) {
    long onHost = host(hostOf[queue]).freeForGood(claim, 1);
    return onHost == UsageProfile.NEVER
        ? onHost
        : Math.max(onHost, queue(queue).freeForGood(claim, 1));
  }

  /**
   * Earliest start of a request of one slot: the latest of the times from which on the cluster, the
   * host and the queue instance have enough for good.
   *
   * @param open numbers of the queue instances that may give it
   * @param from no start is earlier
   * @return {@link UsageProfile#NEVER} when there is none
   */
  public long earliest(Claim claim, int[] open, long from) {
    long inCluster = Math.max(from, cluster.freeForGood(claim, 1));
    long best = UsageProfile.NEVER;
    for (int i = 0; i < open.length && best > inCluster; i++) {
      best = Math.min(best, Math.max(inCluster, freeForGood(claim, open[i])));
    }
    return best;
  }

  /**
   * Earliest start of a parallel request. Tried are the times at which the use of something that it
   * needs changes, from the last one backwards; the answer is the one before the first that fails.
   *
   * @param from no start is earlier
   * @return {@link UsageProfile#NEVER} when it does not fit even at the end
   */
  public long earliest(ParallelRequest request, long from) {
    return new BackwardSearch(this, request, from).find();
  }

  /**
   * A function that gives the latest time, at most its argument, at which the use of anything that
   * a parallel request needs changes; {@link Container#ALWAYS} when there is none.
   */
  public LongUnaryOperator changes(ParallelRequest request) {
    return new BackwardSearch(this, request, Container.ALWAYS)::lastChange;
  }

  /**
   * Slots that a host can give throughout a window: what it has room for itself, and what all its
   * given queue instances have room for together.
   */
  public int slots(Claim claim, int host, int[] queuesOfHost, Window window) {
    int onHost = host(host).room(claim, window.from(), window.to());
    long together = 0;
    for (int i = 0; i < queuesOfHost.length && together < onHost; i++) {
      together += queue(queuesOfHost[i]).room(claim, window.from(), window.to());
    }
    return (int) Math.min(onHost, together);
  }

  /** Slots that the cluster and an environment allow throughout a window. */
  public int slots(Claim claim, int environment, Window window) {
    if (!cluster.hasOnce(claim, window.from(), window.to())) {
      return 0;
    }
    int slots = cluster.room(claim, window.from(), window.to());
    return environment == NONE
        ? slots
        : Math.min(slots, environment(environment).room(claim, window.from(), window.to()));
  }
}
