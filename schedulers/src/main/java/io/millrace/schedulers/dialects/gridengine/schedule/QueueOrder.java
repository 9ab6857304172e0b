package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The queue instances in the order in which they are tried. Those without a free slot stand apart
 * and come last when a reservation is sought. The order is made by seq_no and load at the first use
 * and when loads or soft requests disturbed it; in between, an instance that was full and is looked
 * at again stays where it was put: behind the others.
 */
final class QueueOrder {

  private final Policy policy;
  private final HostLoads loads;
  private final List<QueueInstance> free = new ArrayList<>();
  private final List<QueueInstance> full = new ArrayList<>();
  private final Set<String> knownFull = new HashSet<>();
  private final Map<String, Integer> used = new HashMap<>();
  private boolean disturbed = true;

  QueueOrder(ClusterState state, Policy policy, HostLoads loads, List<QueueInstance> usable) {
    this.policy = policy;
    this.loads = loads;
    state.running().forEach(task -> occupy(task.assignment()));
    free.addAll(usable);
    settle();
  }

  void occupy(Assignment assignment) {
    assignment
        .grants()
        .forEach(grant -> used.merge(grant.queue().name(), grant.slots(), Integer::sum));
  }

  private boolean isFull(QueueInstance queue) {
    return used.getOrDefault(queue.name(), 0) >= queue.slots();
  }

  /**
   * Sets instances without a free slot apart.
   *
   * @return those that were not known to be full
   */
  List<QueueInstance> settle() {
    List<QueueInstance> again = free.stream().filter(q -> isFull(q) && isKnown(q)).toList();
    List<QueueInstance> fresh = free.stream().filter(q -> isFull(q) && !isKnown(q)).toList();
    free.removeIf(this::isFull);
    full.addAll(again);
    full.addAll(fresh);
    fresh.forEach(queue -> knownFull.add(queue.name()));
    return fresh;
  }

  private boolean isKnown(QueueInstance queue) {
    return knownFull.contains(queue.name());
  }

  boolean noneFree() {
    return free.isEmpty();
  }

  void drop(QueueInstance queue) {
    free.remove(queue);
    full.remove(queue);
  }

  /** Those without a free slot take part too, behind the others, until {@link #settle}. */
  void includeFull() {
    free.addAll(full);
    full.clear();
  }

  List<QueueInstance> instances() {
    return List.copyOf(free);
  }

  /** The order is not the one of seq_no and load any more. */
  void disturb() {
    disturbed = true;
  }

  /** A placement was sought in the order of seq_no and load; it need not be made again. */
  void keep() {
    disturbed = false;
  }

  void restore() {
    if (disturbed) {
      free.sort(usual());
    }
  }

  /** Puts instances with fewer violations of soft requests first; unsuitable ones last. */
  void sortFor(ToIntFunction<QueueInstance> violations) {
    free.sort(Comparator.comparingInt(violations).thenComparing(usual()));
  }

  private Comparator<QueueInstance> usual() {
    Comparator<QueueInstance> bySequence = Comparator.comparingInt(QueueInstance::sequence);
    Comparator<QueueInstance> byLoad = Comparator.comparingInt(loads::rank);
    return policy.sortsByLoad()
        ? byLoad.thenComparing(bySequence)
        : bySequence.thenComparing(byLoad);
  }
}
