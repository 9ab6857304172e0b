package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.ReadyOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * What other schedulers leave of what the server has of resources. It stands at the meters, so that
 * another amount is no change of any class; classes wait at them as for other limits.
 */
final class LeasedLimits {

  /** Most classes that are tried at once as if others had none. */
  private static final int TRIED = 100;

  private static final long ALL = Long.MAX_VALUE;

  /** What may be in use here, by resource; no entry: all. */
  private final Map<String, Long> leased = new HashMap<>();

  private final Set<ClassState> trying = new HashSet<>();
  private int changes;

  /** What may be in use here of a resource. */
  long of(String resource) {
    return leased.getOrDefault(resource, ALL);
  }

  /** How often another amount was set. */
  int changes() {
    return changes;
  }

  /** Whether a class is tried as if others had none. */
  boolean tries(ClassState owner) {
    return trying.contains(owner);
  }

  void tryNone() {
    trying.clear();
  }

  /**
   * Others have the rest.
   *
   * @param left beside what runs
   * @param its meters of the resource
   * @return whether it is another amount than before
   */
  boolean set(String resource, long left, List<LimitMeter> its) {
    trying.clear();
    long amount = Math.max(0, left) + its.stream().mapToLong(LimitMeter::used).max().orElse(0);
    Long before = leased.put(resource, amount);
    if (before != null && before == amount) {
      return false;
    }
    its.forEach(meter -> meter.lease(amount));
    changes++;
    return true;
  }

  /** All is there for this scheduler; returns the meters at which it was not. */
  List<LimitMeter> end(Collection<LimitMeter> meters) {
    trying.clear();
    changes += leased.isEmpty() ? 0 : 1;
    leased.clear();
    List<LimitMeter> freed = meters.stream().filter(meter -> meter.lease() != ALL).toList();
    freed.forEach(meter -> meter.lease(ALL));
    return freed;
  }

  /** Has the first classes tried as if others had none, of those that may then start; these. */
  List<LimitedClass> tryFirst(Collection<LimitMeter> meters, ReadyOrder order) {
    trying.clear();
    PriorityQueue<LimitedClass> first =
        new PriorityQueue<>((a, b) -> order.firstBefore(a.owner(), b.owner()) ? 1 : -1);
    for (LimitMeter meter : meters) {
      for (LimitedClass it : meter.lease() == ALL ? List.<LimitedClass>of() : meter.waiting()) {
        if (!it.waitsFor().reachedAlone(meter.promised())) {
          first.add(it);
          if (first.size() > TRIED) {
            first.remove();
          }
        }
      }
    }
    first.forEach(it -> trying.add(it.owner()));
    return new ArrayList<>(first);
  }
}
