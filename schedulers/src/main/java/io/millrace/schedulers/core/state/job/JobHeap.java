package io.millrace.schedulers.core.state.job;

import java.util.Arrays;

/** The waiting jobs of one class as a heap, the first of the policy's order on top. */
public final class JobHeap {

  private static final int[] EMPTY = {};

  /**
   * Heap of job slots; empty while there is at most one job, as in most classes of a long queue.
   */
  private int[] slots = EMPTY;

  private int size;

  /** Slot of the only job while there is one. */
  private int only;

  public int size() {
    return size;
  }

  /** Slot of the first job; the heap must not be empty. */
  public int first() {
    return size == 1 ? only : slots[0];
  }

  public int slot(int index) {
    return size == 1 ? only : slots[index];
  }

  /** Sorts the jobs again. */
  void reorder(ClassState owner, JobSlots jobs, ReadyOrder order) {
    for (int index = (size >>> 1) - 1; index >= 0; index--) {
      down(index, owner, jobs, order);
    }
  }

  void add(int slot, ClassState owner, JobSlots jobs, ReadyOrder order) {
    if (size == 0) {
      only = slot;
      size = 1;
      jobs.heapIndex(slot, 0);
      return;
    }
    if (size >= slots.length) {
      slots = Arrays.copyOf(slots, size + (size >> 1) + 1);
    }
    if (size == 1) {
      slots[0] = only;
    }
    slots[size] = slot;
    jobs.heapIndex(slot, size);
    size++;
    up(size - 1, owner, jobs, order);
  }

  void remove(int slot, ClassState owner, JobSlots jobs, ReadyOrder order) {
    int index = jobs.heapIndex(slot);
    jobs.heapIndex(slot, JobSlots.NONE);
    size--;
    if (size == 0) {
      return;
    }
    if (index != size) {
      put(index, slots[size], jobs);
      down(index, owner, jobs, order);
      up(index, owner, jobs, order);
    }
    if (size == 1) {
      only = slots[0];
      slots = EMPTY;
    } else if (size * 4 < slots.length) {
      slots = Arrays.copyOf(slots, size * 2);
    }
  }

  private void up(int start, ClassState owner, JobSlots jobs, ReadyOrder order) {
    int index = start;
    int slot = slots[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!order.before(owner, slot, owner, slots[parent])) {
        break;
      }
      put(index, slots[parent], jobs);
      index = parent;
    }
    put(index, slot, jobs);
  }

  private void down(int start, ClassState owner, JobSlots jobs, ReadyOrder order) {
    int index = start;
    int slot = slots[index];
    while (2 * index + 1 < size) {
      int child = 2 * index + 1;
      if (child + 1 < size && order.before(owner, slots[child + 1], owner, slots[child])) {
        child++;
      }
      if (!order.before(owner, slots[child], owner, slot)) {
        break;
      }
      put(index, slots[child], jobs);
      index = child;
    }
    put(index, slot, jobs);
  }

  private void put(int index, int slot, JobSlots jobs) {
    slots[index] = slot;
    jobs.heapIndex(slot, index);
  }
}
