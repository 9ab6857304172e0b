package io.millrace.schedulers.core;

import io.millrace.schedulers.core.policy.JobOrder;
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
  void reorder(JobTable jobs, JobOrder order) {
    for (int index = (size >>> 1) - 1; index >= 0; index--) {
      down(index, jobs, order);
    }
  }

  void add(int slot, JobTable jobs, JobOrder order) {
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
    up(size - 1, jobs, order);
  }

  void remove(int slot, JobTable jobs, JobOrder order) {
    int index = jobs.heapIndex(slot);
    jobs.heapIndex(slot, JobTable.NONE);
    size--;
    if (size == 0) {
      return;
    }
    if (index != size) {
      put(index, slots[size], jobs);
      down(index, jobs, order);
      up(index, jobs, order);
    }
    if (size == 1) {
      only = slots[0];
      slots = EMPTY;
    } else if (size * 4 < slots.length) {
      slots = Arrays.copyOf(slots, size * 2);
    }
  }

  /** Jobs of one class: queue and estimated runtime are the same. */
  private static boolean before(int slot, int other, JobTable jobs, JobOrder order) {
    int priority = jobs.priority(slot);
    int otherPriority = jobs.priority(other);
    if (priority != otherPriority) {
      long place = order.place(0, priority, 0);
      long otherPlace = order.place(0, otherPriority, 0);
      if (place != otherPlace) {
        return place < otherPlace;
      }
    }
    return jobs.rank(slot) < jobs.rank(other);
  }

  private void up(int start, JobTable jobs, JobOrder order) {
    int index = start;
    int slot = slots[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!before(slot, slots[parent], jobs, order)) {
        break;
      }
      put(index, slots[parent], jobs);
      index = parent;
    }
    put(index, slot, jobs);
  }

  private void down(int start, JobTable jobs, JobOrder order) {
    int index = start;
    int slot = slots[index];
    while (2 * index + 1 < size) {
      int child = 2 * index + 1;
      if (child + 1 < size && before(slots[child + 1], slots[child], jobs, order)) {
        child++;
      }
      if (!before(slots[child], slot, jobs, order)) {
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
