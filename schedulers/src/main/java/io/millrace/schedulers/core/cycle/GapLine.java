package io.millrace.schedulers.core.cycle;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * What takes part in a backfill, first in order first. Semantically a priority queue. Most of it is
 * known when the backfill begins, and lies almost in order then: that is sorted once. What comes
 * later goes through a heap.
 */
final class GapLine<T> {

  private final Comparator<T> order;
  private final T[] known;
  private int next;
  private final PriorityQueue<T> later;

  @SuppressWarnings("unchecked") // an array that only this class fills
  GapLine(List<T> members, Comparator<T> order) {
    this.order = order;
    known = (T[]) members.toArray();
    Arrays.sort(known, order);
    later = new PriorityQueue<>(order);
  }

  boolean isEmpty() {
    return next == known.length && later.isEmpty();
  }

  /** The first one; there must be one. */
  T first() {
    return knownIsFirst() ? known[next] : later.peek();
  }

  void removeFirst() {
    if (knownIsFirst()) {
      known[next++] = null;
    } else {
      later.poll();
    }
  }

  void add(T member) {
    later.add(member);
  }

  void forEach(Consumer<T> action) {
    for (int i = next; i < known.length; i++) {
      action.accept(known[i]);
    }
    later.forEach(action);
  }

  private boolean knownIsFirst() {
    return next < known.length
        && (later.isEmpty() || order.compare(known[next], later.peek()) <= 0);
  }
}
