package io.millrace.server.core.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is in use of one node over time, as steps: many windows can be looked at, and each costs the
 * steps that lie in it.
 *
 * <p>Simple semantics: at each moment the sum of the uses whose time it is. What ends makes room
 * for what begins at the same time.
 */
final class UseTimeline {

  /**
   * A use; its end is not part of it.
   *
   * @param alone whether nobody else may be on the node meanwhile
   */
  record TimedUse(long startMs, long endMs, Map<String, Long> amounts, boolean alone) {}

  /** Step i lasts from times[i] until times[i + 1]; in the last one there is no use. */
  private final long[] times;

  private final int[] uses;
  private final int[] alone;

  /** What is in use in each step, by resource. */
  private final Map<String, long[]> levels = new HashMap<>();

  private UseTimeline(long[] times) {
    this.times = times;
    this.uses = new int[times.length];
    this.alone = new int[times.length];
  }

  static UseTimeline of(Collection<TimedUse> all) {
    List<TimedUse> some = new ArrayList<>(all);
    some.removeIf(it -> it.startMs() >= it.endMs());
    long[] edges = new long[2 * some.size()];
    for (int i = 0; i < some.size(); i++) {
      edges[2 * i] = some.get(i).startMs();
      edges[2 * i + 1] = some.get(i).endMs();
    }
    Arrays.sort(edges);
    int distinct = 0;
    for (int i = 0; i < edges.length; i++) {
      if (i == 0 || edges[i] != edges[i - 1]) {
        edges[distinct++] = edges[i];
      }
    }
    UseTimeline made = new UseTimeline(Arrays.copyOf(edges, distinct));
    some.forEach(made::change);
    made.sum();
    return made;
  }

  private void change(TimedUse use) {
    int first = Arrays.binarySearch(times, use.startMs());
    int end = Arrays.binarySearch(times, use.endMs());
    uses[first]++;
    uses[end]--;
    alone[first] += use.alone() ? 1 : 0;
    alone[end] -= use.alone() ? 1 : 0;
    use.amounts()
        .forEach(
            (name, amount) -> {
              long[] level = levels.computeIfAbsent(name, it -> new long[times.length]);
              level[first] += amount;
              level[end] -= amount;
            });
  }

  /** Makes sums of the changes. */
  private void sum() {
    for (int i = 1; i < times.length; i++) {
      uses[i] += uses[i - 1];
      alone[i] += alone[i - 1];
      for (long[] level : levels.values()) {
        level[i] += level[i - 1];
      }
    }
  }

  /** Index of the first step that reaches into a window. */
  private int first(long fromMs) {
    int found = Arrays.binarySearch(times, fromMs);
    return Math.max(0, found >= 0 ? found : -found - 2);
  }

  /** Whether nothing is in use at any time of a window. */
  boolean isFree(long fromMs, long toMs) {
    return most(uses, fromMs, toMs) == 0;
  }

  /** Whether somebody is alone on the node at any time of a window. */
  boolean anyAlone(long fromMs, long toMs) {
    return most(alone, fromMs, toMs) > 0;
  }

  private int most(int[] counts, long fromMs, long toMs) {
    int most = 0;
    for (int i = first(fromMs); i < times.length && times[i] < toMs; i++) {
      most = Math.max(most, counts[i]);
    }
    return most;
  }

  /** The most of each resource that is in use at one time of a window. */
  Map<String, Long> most(long fromMs, long toMs) {
    Map<String, Long> most = new HashMap<>();
    int first = first(fromMs);
    levels.forEach(
        (name, level) -> {
          long highest = 0;
          for (int i = first; i < times.length && times[i] < toMs; i++) {
            highest = Math.max(highest, level[i]);
          }
          most.put(name, highest);
        });
    return most;
  }
}
