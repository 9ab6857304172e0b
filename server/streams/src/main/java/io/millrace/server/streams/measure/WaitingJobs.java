package io.millrace.server.streams.measure;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.Arrays;

/**
 * Since when the job waits that could run for longest. Jobs are noted when they begin to wait, and
 * looked at again only when they come to the front.
 *
 * <p>Simple semantics: a set of (time, number). It is a binary heap in two arrays of numbers, 16
 * bytes a job, as the heap of a server with a long queue consists of little else.
 */
final class WaitingJobs {

  /** Beyond these the youngest are not noted, so that a long queue costs no more memory. */
  static final int NOTED_MAX = 200_000;

  private static final int FEW = 64;

  /** Most notes that one look takes away. */
  private static final int LOOKS_MAX = 2_000;

  /**
   * By note: since when the job waits, milliseconds since 1970. A parent is before its children.
   */
  private long[] sinceMs = new long[FEW];

  private long[] numbers = new long[FEW];
  private int noted;

  /** A job as it is now. */
  void note(Job job) {
    if (waits(job) && noted < NOTED_MAX) {
      if (noted == sinceMs.length) {
        int more = Math.min(NOTED_MAX, 2 * noted);
        sinceMs = Arrays.copyOf(sinceMs, more);
        numbers = Arrays.copyOf(numbers, more);
      }
      rise(noted++, job.getEligibleMs(), job.getNumber());
    }
  }

  private static boolean waits(Job job) {
    // An array waits with those of its subjobs that are next.
    return job != null
        && job.getArray() == null
        && job.getStatus() == JobStatus.QUEUED
        && job.getEligibleMs() >= 0;
  }

  /** For how long the oldest has waited; 0 when none waits. */
  long waitedMs(View view, long nowMs) {
    for (int looks = 0; noted > 0 && looks < LOOKS_MAX; looks++) {
      Job job = view.jobs().get(Keys.number(numbers[0]));
      if (waits(job) && job.getEligibleMs() == sinceMs[0]) {
        return Math.max(0, nowMs - sinceMs[0]);
      }
      noted--;
      sink(sinceMs[noted], numbers[noted]);
    }
    return 0;
  }

  void clear() {
    noted = 0;
  }

  private void rise(int from, long since, long number) {
    int at = from;
    while (at > 0 && before(since, number, (at - 1) / 2)) {
      put(at, sinceMs[(at - 1) / 2], numbers[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, since, number);
  }

  /** Puts a note where the first one was. */
  private void sink(long since, long number) {
    int at = 0;
    for (int child = 1; child < noted; child = 2 * at + 1) {
      if (child + 1 < noted && before(sinceMs[child + 1], numbers[child + 1], child)) {
        child++;
      }
      if (before(since, number, child)) {
        break;
      }
      put(at, sinceMs[child], numbers[child]);
      at = child;
    }
    put(at, since, number);
  }

  private boolean before(long since, long number, int other) {
    return since != sinceMs[other] ? since < sinceMs[other] : number < numbers[other];
  }

  private void put(int at, long since, long number) {
    sinceMs[at] = since;
    numbers[at] = number;
  }
}
