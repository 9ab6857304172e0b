package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a job that is not found is taken to be gone. */
class AwaitedJobTest {
  private final FakeSite site = new FakeSite();
  private long nowMs;
  private final AwaitedJob job =
      new AwaitedJob(site, 1, () -> TimeUnit.MILLISECONDS.toNanos(nowMs));

  private boolean goneAt(long ms) throws InterruptedException {
    nowMs = ms;
    job.look();
    return job.gone();
  }

  @Test
  void itIsGoneWhenItIsNotFoundForSomeTime() throws Exception {
    assertFalse(goneAt(0));
    assertFalse(goneAt(AwaitedJob.GONE_AFTER_MS - 1));
    assertTrue(goneAt(AwaitedJob.GONE_AFTER_MS));
  }

  @Test
  void notWhenItWasFoundBetween() throws Exception {
    assertFalse(goneAt(0));
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.RUNNING));
    assertFalse(goneAt(1000));
    site.jobs.clear();
    assertFalse(goneAt(AwaitedJob.GONE_AFTER_MS));
    assertFalse(goneAt(AwaitedJob.GONE_AFTER_MS + 1000));
    assertTrue(goneAt(2 * AwaitedJob.GONE_AFTER_MS));
  }

  @Test
  void notWhileNobodyCanSay() throws Exception {
    assertFalse(goneAt(0));
    site.failures = 1;
    assertFalse(goneAt(1_000_000));
    assertTrue(job.unknown());
    site.jobs.put(1L, Jobs.fromScript(1, JobStatus.RUNNING));
    assertFalse(goneAt(1_000_001));
  }
}
