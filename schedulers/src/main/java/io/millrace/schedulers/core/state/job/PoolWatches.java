package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * The classes that wait for nodes of one pool, by the amount that has to become free before one of
 * their jobs fits.
 */
public final class PoolWatches {

  private final Pool pool;
  private final Map<Integer, WatchSet> nodeWatches = new HashMap<>();
  private final Map<Integer, WatchSet> totalWatches = new HashMap<>();

  public PoolWatches(Pool pool) {
    this.pool = pool;
  }

  public void add(ClassState blocked, Watch watch) {
    Map<Integer, WatchSet> sets =
        switch (watch.level()) {
          case NODE -> nodeWatches;
          case TOTAL -> totalWatches;
          case CHANGE -> null;
        };
    if (sets != null) {
      sets.computeIfAbsent(watch.resource(), it -> new WatchSet()).add(blocked, watch.amount());
    }
  }

  /**
   * Removes and reports the classes for which enough may have become free.
   *
   * @param freer nodes that have become freer
   * @param enough tells whether it may be enough for a class, given these nodes, the one with the
   *     most of the awaited resource first
   */
  public void wake(
      List<NodeState> freer,
      BiPredicate<ClassState, List<NodeState>> enough,
      Consumer<ClassState> woken) {
    nodeWatches.forEach(
        (resource, set) -> {
          freer.sort(
              (a, b) ->
                  Long.compare(
                      ResourceNames.at(b.free(), resource), ResourceNames.at(a.free(), resource)));
          if (!freer.isEmpty()) {
            long most = ResourceNames.at(freer.get(0).free(), resource);
            set.take(most, it -> enough.test(it, freer), woken);
          }
        });
    totalWatches.forEach((resource, set) -> set.take(pool.free().sum(resource), it -> true, woken));
  }
}
