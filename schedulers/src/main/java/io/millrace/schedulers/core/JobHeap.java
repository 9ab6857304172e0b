package io.millrace.schedulers.core;

import java.util.Arrays;

/** The waiting jobs of one class, the first of the policy's order on top. */
final class JobHeap {

  private static final int[] EMPTY = {};

  /** Empty while there is at most one: most classes of a long queue have no more. */
  private int[] slots = EMPTY;

  private int size;

  /** The first while there is no other. */
  private int only;

  int size() {
    return size;
  }

  /** Slot of the first job; the heap must not be empty. */
  int first() {
    return size == 1 ? only : slots[0];
  }

  int slot(int index) {
    return size == 1 ? only : slots[index];
  }

  /** Puts the jobs into another order. */
  void reorder(ClassState owner, JobTable jobs, Places order) {
    for (int index = (size >>> 1) - 1; index >= 0; index--) {
      down(index, owner, jobs, order);
    }
  }

  void add(int slot, ClassState owner, JobTable jobs, Places order) {
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

  void remove(int slot, ClassState owner, JobTable jobs, Places order) {
    int index = jobs.heapIndex(slot);
    jobs.heapIndex(slot, JobTable.NONE);
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

  private static boolean before(
      int slot, int other, ClassState owner, JobTable jobs, Places order) {
    int compared = order.compare(owner, jobs.priority(slot), jobs.priority(other));
    return compared != 0 ? compared < 0 : jobs.rank(slot) < jobs.rank(other);
  }

  private void up(int start, ClassState owner, JobTable jobs, Places order) {
    int index = start;
    int slot = slots[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!before(slot, slots[parent], owner, jobs, order)) {
        break;
      }
      put(index, slots[parent], jobs);
      index = parent;
    }
    put(index, slot, jobs);
  }

  private void down(int start, ClassState owner, JobTable jobs, Places order) {
    int index = start;
    int slot = slots[index];
    while (2 * index + 1 < size) {
      int child = 2 * index + 1;
      if (child + 1 < size && before(slots[child + 1], slots[child], owner, jobs, order)) {
        child++;
      }
      if (!before(slots[child], slot, owner, jobs, order)) {
        break;
      }
      put(index, slots[child], jobs);
      index = child;
    }
    put(index, slot, jobs);
  }

  private void put(int index, int slot, JobTable jobs) {
    slots[index] = slot;
    jobs.heapIndex(slot, index);
  }
}
