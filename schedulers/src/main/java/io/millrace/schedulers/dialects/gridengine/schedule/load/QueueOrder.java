package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The queue instances in the order in which they are tried. Instances without a free slot are kept
 * apart and come last when a reservation is sought. The list is sorted by seq_no and load at the
 * first use, and again after loads or soft requests have changed the order; in between, an instance
 * that was full and is considered again stays at the end.
 */
public final class QueueOrder {

  private final PlannedCluster site;
  private final SchedConf policy;
  private final HostLoads loads;
  private final List<Place> free = new ArrayList<>();
  private final List<Place> full = new ArrayList<>();
  private final BitSet knownFull = new BitSet();
  private final int[] slots;
  private final int[] sequence;
  private final int[] used;
  private boolean disturbed = true;

  /** Instances of each host, in any order; null when they have to be collected again. */
  private List<List<Place>> byHost;

  /** Whether the list of free instances may contain one without a free slot. */
  private boolean mixed = true;

  public QueueOrder(
      ClusterState state,
      PlannedCluster site,
      SchedConf policy,
      HostLoads loads,
      List<Place> usable) {
    this.site = site;
    this.policy = policy;
    this.loads = loads;
    this.slots = site.places().stream().mapToInt(place -> place.queue().slots()).toArray();
    this.sequence = site.places().stream().mapToInt(place -> place.queue().sequence()).toArray();
    this.used = new int[slots.length];
    state.running().forEach(task -> occupy(task.assignment()));
    free.addAll(usable);
    settle();
  }

  public void occupy(Assignment assignment) {
    for (Grant grant : assignment.grants()) {
      Place place = site.place(grant);
      if (place != null) {
        used[place.number()] += grant.slots();
        mixed |= isFull(place);
      }
    }
  }

  private boolean isFull(Place place) {
    return used[place.number()] >= slots[place.number()];
  }

  /**
   * Moves instances without a free slot out of the list.
   *
   * @return those of them that were not known to be full before
   */
  public List<Place> settle() {
    if (!mixed) {
      return List.of();
    }
    mixed = false;
    List<Place> again = new ArrayList<>();
    List<Place> fresh = new ArrayList<>();
    for (Place place : free) {
      if (isFull(place)) {
        (knownFull.get(place.number()) ? again : fresh).add(place);
      }
    }
    if (again.size() + fresh.size() > 0) {
      byHost = null;
      free.removeIf(this::isFull);
      full.addAll(again);
      full.addAll(fresh);
      fresh.forEach(place -> knownFull.set(place.number()));
    }
    return fresh;
  }

  public boolean noneFree() {
    return free.isEmpty();
  }

  public void drop(Place place) {
    byHost = null;
    free.remove(place);
    full.remove(place);
  }

  /** Lets full instances take part too, behind the others, until {@link #settle}. */
  public void includeFull() {
    if (full.isEmpty()) {
      return;
    }
    mixed = true;
    byHost = null;
    free.addAll(full);
    full.clear();
  }

  /**
   * The instances that take part, in order; the list changes with each call of the other methods.
   */
  public List<Place> instances() {
    return Collections.unmodifiableList(free);
  }

  /** The instances of a host that take part, in any order. */
  public List<Place> ofHost(int host) {
    if (byHost == null) {
      byHost = new ArrayList<>();
      site.hosts().forEach(each -> byHost.add(new ArrayList<>(1)));
      free.forEach(place -> byHost.get(place.hostNumber()).add(place));
    }
    return byHost.get(host);
  }

  /** Marks that the order is no longer the one by seq_no and load. */
  public void disturb() {
    disturbed = true;
  }

  /**
   * Marks that the order is still the one by seq_no and load, so that it need not be sorted again.
   */
  public void keep() {
    disturbed = false;
  }

  public void restore() {
    if (disturbed) {
      free.sort(usual());
    }
  }

  /**
   * Sorts instances by their number of violated soft requests, fewest first; unsuitable ones come
   * last.
   */
  public void sortFor(ToIntFunction<Place> violations) {
    free.sort(Comparator.comparingInt(violations).thenComparing(usual()));
  }

  private Comparator<Place> usual() {
    Comparator<Place> bySequence = Comparator.comparingInt(place -> sequence[place.number()]);
    Comparator<Place> byLoad = Comparator.comparingInt(loads::rank);
    return policy.sortsByLoad()
        ? byLoad.thenComparing(bySequence)
        : bySequence.thenComparing(byLoad);
  }
}
