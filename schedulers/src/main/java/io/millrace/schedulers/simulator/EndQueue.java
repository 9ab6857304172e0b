package io.millrace.schedulers.simulator;

import java.util.Arrays;

/** Running jobs as a heap by end time; of equal times the lower index comes first. */
final class EndQueue {

  static final long NEVER = Long.MAX_VALUE;

  private long[] times = new long[64];
  private int[] jobs = new int[64];
  private int size;

  /** Time of the next end; {@link #NEVER} when there is none. */
  long nextS() {
    return size == 0 ? NEVER : times[0];
  }

  void add(int job, long endS) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      jobs = Arrays.copyOf(jobs, 2 * size);
    }
    int hole = size++;
    while (hole > 0 && before(endS, job, (hole - 1) >>> 1)) {
      move((hole - 1) >>> 1, hole);
      hole = (hole - 1) >>> 1;
    }
    times[hole] = endS;
    jobs[hole] = job;
  }

  /** Removes and returns the job that ends next. */
  int poll() {
    int first = jobs[0];
    size--;
    long endS = times[size];
    int job = jobs[size];
    int hole = 0;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size && before(times[child + 1], jobs[child + 1], child)) {
        child++;
      }
      if (before(endS, job, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    times[hole] = endS;
    jobs[hole] = job;
    return first;
  }

  private boolean before(long endS, int job, int other) {
    return endS != times[other] ? endS < times[other] : job < jobs[other];
  }

  private void move(int from, int to) {
    times[to] = times[from];
    jobs[to] = jobs[from];
  }
}
