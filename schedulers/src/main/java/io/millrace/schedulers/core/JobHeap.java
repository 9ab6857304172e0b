package io.millrace.schedulers.core;

import java.util.Arrays;

/** The waiting jobs of one class, the first of the policy's order on top. */
final class JobHeap {

  private static final int[] EMPTY = {};

  private int[] slots = EMPTY;
  private int size;

  int size() {
    return size;
  }

  int slot(int index) {
    return slots[index];
  }

  void add(int slot, JobTable jobs, Policy policy) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, size == 0 ? 1 : size + (size >> 1) + 1);
    }
    slots[size] = slot;
    jobs.heapIndex(slot, size);
    size++;
    up(size - 1, jobs, policy);
  }

  void remove(int slot, JobTable jobs, Policy policy) {
    int index = jobs.heapIndex(slot);
    jobs.heapIndex(slot, JobTable.NONE);
    size--;
    if (index != size) {
      put(index, slots[size], jobs);
      down(index, jobs, policy);
      up(index, jobs, policy);
    }
    if (size == 0) {
      slots = EMPTY;
    } else if (size * 4 < slots.length) {
      slots = Arrays.copyOf(slots, size * 2);
    }
  }

  static boolean before(int slot, int other, JobTable jobs, Policy policy) {
    return policy.before(
        jobs.priority(slot), jobs.rank(slot), jobs.priority(other), jobs.rank(other));
  }

  private void up(int start, JobTable jobs, Policy policy) {
    int index = start;
    int slot = slots[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!before(slot, slots[parent], jobs, policy)) {
        break;
      }
      put(index, slots[parent], jobs);
      index = parent;
    }
    put(index, slot, jobs);
  }

  private void down(int start, JobTable jobs, Policy policy) {
    int index = start;
    int slot = slots[index];
    while (2 * index + 1 < size) {
      int child = 2 * index + 1;
      if (child + 1 < size && before(slots[child + 1], slots[child], jobs, policy)) {
        child++;
      }
      if (!before(slots[child], slot, jobs, policy)) {
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
