package io.millrace.schedulers.core.state.job;

import java.util.Arrays;

/**
 * The classes with waiting jobs as a heap by their first jobs; each class has a heap of its own
 * jobs.
 */
public final class ClassOrder {

  private final ReadyOrder order;
  private ClassState[] heap = new ClassState[16];
  private int size;

  ClassOrder(ReadyOrder order) {
    this.order = order;
  }

  public int size() {
    return size;
  }

  public ClassState get(int index) {
    return heap[index];
  }

  /** The first waiting job of the class has changed, or it has none left. */
  void headChanged(ClassState owner) {
    if (owner.waiting().size() == 0) {
      remove(owner);
    } else if (owner.orderIndex() == JobSlots.NONE) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      put(size++, owner);
      up(owner.orderIndex());
    } else {
      down(owner.orderIndex());
      up(owner.orderIndex());
    }
  }

  /** Sorts all classes again: the places of several may have changed at once. */
  void rebuild() {
    for (int index = (size >>> 1) - 1; index >= 0; index--) {
      down(index);
    }
  }

  private void remove(ClassState owner) {
    int index = owner.orderIndex();
    if (index == JobSlots.NONE) {
      return;
    }
    owner.orderedAt(JobSlots.NONE);
    size--;
    ClassState last = heap[size];
    heap[size] = null;
    if (last != owner) {
      put(index, last);
      down(index);
      up(last.orderIndex());
    }
  }

  private void up(int start) {
    int index = start;
    ClassState moved = heap[index];
    while (index > 0 && order.firstBefore(moved, heap[(index - 1) >>> 1])) {
      put(index, heap[(index - 1) >>> 1]);
      index = (index - 1) >>> 1;
    }
    put(index, moved);
  }

  private void down(int start) {
    int index = start;
    ClassState moved = heap[index];
    while (2 * index + 1 < size) {
      int child = 2 * index + 1;
      if (child + 1 < size && order.firstBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!order.firstBefore(heap[child], moved)) {
        break;
      }
      put(index, heap[child]);
      index = child;
    }
    put(index, moved);
  }

  private void put(int index, ClassState owner) {
    heap[index] = owner;
    owner.orderedAt(index);
  }
}
