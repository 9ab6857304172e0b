package io.millrace.server.streams.measure;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Since when the job waits that could run for longest. Jobs are noted when they begin to wait, and
 * looked at again only when they come to the front.
 */
final class WaitingJobs {

  /** Beyond these the youngest are not noted, so that a long queue costs no more memory. */
  static final int NOTED_MAX = 200_000;

  /** Most notes that one look takes away. */
  private static final int LOOKS_MAX = 2_000;

  private record Noted(long sinceMs, long number) {}

  /** Each once: each engine that begins has all jobs noted. */
  private final TreeSet<Noted> noted =
      new TreeSet<>(Comparator.comparingLong(Noted::sinceMs).thenComparingLong(Noted::number));

  /** A job as it is now. */
  void note(Job job) {
    if (waits(job) && noted.size() < NOTED_MAX) {
      noted.add(new Noted(job.getEligibleMs(), job.getNumber()));
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
    for (int looks = 0; !noted.isEmpty() && looks < LOOKS_MAX; looks++) {
      Noted first = noted.first();
      Job job = view.jobs().get(Keys.number(first.number()));
      if (waits(job) && job.getEligibleMs() == first.sinceMs()) {
        return Math.max(0, nowMs - first.sinceMs());
      }
      noted.pollFirst();
    }
    return 0;
  }

  void clear() {
    noted.clear();
  }
}
