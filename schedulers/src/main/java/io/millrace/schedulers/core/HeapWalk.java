package io.millrace.schedulers.core;

import java.util.PriorityQueue;

/** Walks the jobs of a class in the policy's order without changing the heap. */
final class HeapWalk {

  final ClassState owner;
  private final JobTable jobs;
  private final Policy policy;

  /** Heap indices whose parents were walked; null while the walk stands at the top. */
  private PriorityQueue<Integer> frontier;

  private int index;

  HeapWalk(ClassState owner, JobTable jobs, Policy policy) {
    this.owner = owner;
    this.jobs = jobs;
    this.policy = policy;
    this.index = owner.waiting.size() == 0 ? JobTable.NONE : 0;
  }

  boolean atEnd() {
    return index == JobTable.NONE;
  }

  /** Slot of the job at which the walk stands. */
  int slot() {
    return owner.waiting.slot(index);
  }

  void advance() {
    if (frontier == null) {
      JobHeap heap = owner.waiting;
      frontier =
          new PriorityQueue<>(
              (a, b) -> JobHeap.before(heap.slot(a), heap.slot(b), jobs, policy) ? -1 : 1);
    }
    for (int child = 2 * index + 1; child <= 2 * index + 2; child++) {
      if (child < owner.waiting.size()) {
        frontier.add(child);
      }
    }
    Integer next = frontier.poll();
    index = next == null ? JobTable.NONE : next;
  }
}
