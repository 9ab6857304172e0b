package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of a resource is used from when on: a step function of time, 0 before its first step.
 * Steps at {@link Numbers#UNLIMITED_S} mean that a use never ends.
 */
final class Usage {

  /** Amounts that differ by less are the same: sums of decimals have rounding errors. */
  private static final double SAME = 1e-9;

  private final TreeMap<Long, Double> steps = new TreeMap<>();

  void add(Span span, double amount) {
    if (span.from() >= span.to() || amount == 0) {
      return;
    }
    split(span.from());
    split(span.to());
    steps.subMap(span.from(), span.to()).replaceAll((time, used) -> used + amount);
    join(span.from());
    join(span.to());
  }

  private void split(long time) {
    Map.Entry<Long, Double> before = steps.floorEntry(time);
    steps.put(time, before == null ? 0.0 : before.getValue());
  }

  /** A step that changes nothing is none; only the ends of a new use can become such. */
  private void join(long time) {
    Map.Entry<Long, Double> before = steps.lowerEntry(time);
    if (Math.abs((before == null ? 0 : before.getValue()) - steps.get(time)) < SAME) {
      steps.remove(time);
    }
  }

  double maximum(long from, long to) {
    Map.Entry<Long, Double> at = steps.floorEntry(from);
    double most = at == null ? 0 : at.getValue();
    for (double used : steps.subMap(from, true, Math.max(from, to), false).values()) {
      most = Math.max(most, used);
    }
    return most;
  }

  /** What is used by those that never end. */
  double atTheEnd() {
    Map.Entry<Long, Double> last = steps.lowerEntry(Numbers.UNLIMITED_S);
    return last == null ? 0 : last.getValue();
  }

  /**
   * From when on never more than so much is used: the last step down to it or below. Gaps before
   * that are not looked for.
   *
   * @return empty when it is exceeded at the end; 0 when it is never exceeded
   */
  OptionalLong lastingBelow(double most) {
    if (atTheEnd() > most + SAME) {
      return OptionalLong.empty();
    }
    Long below = null;
    for (Map.Entry<Long, Double> step : steps.descendingMap().entrySet()) {
      if (step.getKey() < Numbers.UNLIMITED_S) {
        if (step.getValue() > most + SAME) {
          return OptionalLong.of(below);
        }
        below = step.getKey();
      }
    }
    return OptionalLong.of(0);
  }

  /** Times at which the use changes. */
  Set<Long> changes() {
    return steps.headMap(Numbers.UNLIMITED_S).keySet();
  }

  static boolean above(double amount, double limit) {
    return amount > limit + SAME;
  }
}
