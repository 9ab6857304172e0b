package io.millrace.server.streams.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The oldest that waits, compared with a search through all. */
class WaitingJobsTest {

  private static final long NOW = 1_700_000_000_000L;

  private final Tables tables = Tables.inMemory(0, 1);
  private final WaitingJobs waiting = new WaitingJobs();
  private final TreeMap<Long, Long> sinceMs = new TreeMap<>();

  private void queued(long number, long since) {
    Job job = new Job();
    job.setNumber(number);
    job.setStatus(JobStatus.QUEUED);
    job.setEligibleMs(since);
    tables.jobs().put(Keys.number(number), job);
    waiting.note(job);
    sinceMs.put(number, since);
  }

  private void gone(long number) {
    tables.jobs().remove(Keys.number(number));
    sinceMs.remove(number);
  }

  private void check() {
    long oldest = sinceMs.values().stream().min(Comparator.naturalOrder()).orElse(NOW);
    assertEquals(NOW - oldest, waiting.waitedMs(tables, NOW));
  }

  @Test
  void afterEachChangeTheOldestIsTheOneThatASearchFinds() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      waiting.clear();
      LongStream.rangeClosed(1, 40).forEach(this::gone);
      for (int i = 0; i < 400; i++) {
        long number = 1 + random.nextInt(40);
        if (random.nextInt(3) > 0) {
          queued(number, NOW - random.nextInt(1000));
        } else {
          gone(number);
        }
        check();
      }
    }
  }

  @Test
  void beyondTheBoundTheYoungestAreNotNoted() {
    for (int i = 0; i < WaitingJobs.NOTED_MAX + 10; i++) {
      queued(i + 1, NOW - 1_000_000 + i);
    }
    check();
    for (int i = 0; i < 1_000; i++) {
      gone(i + 1);
    }
    check();
  }
}
