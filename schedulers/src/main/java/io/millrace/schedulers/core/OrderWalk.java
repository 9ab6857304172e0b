package io.millrace.schedulers.core;

import java.util.Arrays;

/**
 * Walks all waiting jobs in the policy's order without changing the heaps in which they stand: what
 * has been walked costs, what lies behind does not.
 */
final class OrderWalk {

  private final JobBook book;

  // The frontier: a heap of places, each a job in the heap of its class.
  private ClassState[] owners = new ClassState[16];
  private int[] indices = new int[16];
  private long[] places = new long[16];
  private long[] ranks = new long[16];
  private int size;

  private ClassState owner;
  private int index;
  private boolean skipped;

  OrderWalk(JobBook book) {
    this.book = book;
  }

  void restart() {
    Arrays.fill(owners, 0, size, null);
    size = 0;
    owner = null;
    if (book.order().size() > 0) {
      push(book.order().get(0), 0);
    }
  }

  /** Moves to the next job; false when there is none. */
  boolean next() {
    if (owner != null) {
      extend();
    }
    if (size == 0) {
      owner = null;
      return false;
    }
    owner = owners[0];
    index = indices[0];
    skipped = false;
    size--;
    if (size > 0) {
      down(owners[size], indices[size], places[size], ranks[size]);
    }
    owners[size] = null;
    return true;
  }

  ClassState owner() {
    return owner;
  }

  /** Slot of the job at which the walk stands. */
  int slot() {
    return owner.waiting.slot(index);
  }

  /** Passes over the jobs of the class that come later. */
  void skipClass() {
    skipped = true;
  }

  private void extend() {
    if (!skipped) {
      for (int child = 2 * index + 1; child <= 2 * index + 2; child++) {
        if (child < owner.waiting.size()) {
          push(owner, child);
        }
      }
    }
    if (index == 0) {
      for (int child = 2 * owner.orderIndex + 1; child <= 2 * owner.orderIndex + 2; child++) {
        if (child < book.order().size()) {
          push(book.order().get(child), 0);
        }
      }
    }
  }

  private void push(ClassState of, int at) {
    if (size == owners.length) {
      owners = Arrays.copyOf(owners, 2 * size);
      indices = Arrays.copyOf(indices, 2 * size);
      places = Arrays.copyOf(places, 2 * size);
      ranks = Arrays.copyOf(ranks, 2 * size);
    }
    int slot = of.waiting.slot(at);
    long place = at == 0 ? of.headPlace : book.place(of, slot);
    long rank = book.jobs().rank(slot);
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!(place < places[parent] || place == places[parent] && rank < ranks[parent])) {
        break;
      }
      copy(parent, hole);
      hole = parent;
    }
    put(hole, of, at, place, rank);
  }

  private void down(ClassState of, int at, long place, long rank) {
    int hole = 0;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size
          && (places[child + 1] < places[child]
              || places[child + 1] == places[child] && ranks[child + 1] < ranks[child])) {
        child++;
      }
      if (!(places[child] < place || places[child] == place && ranks[child] < rank)) {
        break;
      }
      copy(child, hole);
      hole = child;
    }
    put(hole, of, at, place, rank);
  }

  private void copy(int from, int to) {
    put(to, owners[from], indices[from], places[from], ranks[from]);
  }

  private void put(int hole, ClassState of, int at, long place, long rank) {
    owners[hole] = of;
    indices[hole] = at;
    places[hole] = place;
    ranks[hole] = rank;
  }
}
