package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is answered about jobs that run. */
class LiveUsagesTest {
  private static final long STARTED = 1_795_188_954_000L;

  private final LiveUsages usages = new LiveUsages();

  static Job job() {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("x")
            .setOwner("ann")
            .setSubmitHost("vm")
            .setQueue("workq")
            .setRequest(ResourceRequest.newBuilder().setChunks(List.of()).build())
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    List<NodeShare> shares =
        List.of(
            new NodeShare("a", "a", 1, Map.of("ncpus", 2L)),
            new NodeShare("b", "b", 1, Map.of("ncpus", 1L)));
    return Job.newBuilder()
        .setId("7.vm")
        .setNumber(7)
        .setSpec(spec)
        .setStatus(JobStatus.RUNNING)
        .setAllocation(new Allocation(shares, "a/0*2+b/0", "", null))
        .setRank(1)
        .setRun(2)
        .setSessionId(4711)
        .setCreatedMs(STARTED)
        .setQueuedMs(STARTED)
        .setModifiedMs(STARTED)
        .setStartedMs(STARTED)
        .setEvents(List.of())
        .build();
  }

  private static RunSample sample(int run, int task, long cputMs, long memKb) {
    return new RunSample(7L, run, task, cputMs, memKb, 2 * memKb);
  }

  private Usage shown(Job job) {
    assertTrue(usages.complete(job, STARTED + 10_000));
    return job.getUsed();
  }

  @Test
  void beforeTheFirstSampleOnlyTheTimeIsKnown() {
    assertEquals(new Usage(0L, 0L, 0L, 10L, 3, 0), shown(job()));
  }

  @Test
  void theLastSampleOfTheRunCounts() {
    usages.heard("a", List.of(sample(1, 0, 99_000, 9000), sample(2, 0, 1_000, 100)));
    usages.heard("a", List.of(sample(2, 0, 5_900, 200)));
    usages.heard("a", List.of(sample(1, 0, 99_000, 9000))); // late, of a run that is over
    assertEquals(new Usage(5L, 200L, 400L, 10L, 3, 50), shown(job()));
  }

  @Test
  void theHostsOfARunCountTogetherWithTasksThatHaveEnded() {
    usages.heard("a", List.of(sample(2, 0, 1_600, 100)));
    usages.heard("b", List.of(sample(2, 1, 50_000, 5000), sample(2, 2, 2_600, 10)));
    Job job = job();
    RunTask lives = new RunTask(2, 1, 1, STARTED, null);
    Usage ended = Usage.newBuilder().setCputS(3).setMemKb(1).setVmemKb(1).build();
    job.setTasks(RunTasks.newBuilder().setLast(2).setLive(List.of(lives)).setUsed(ended).build());
    assertEquals(new Usage(7L, 111L, 221L, 10L, 3, 70), shown(job));
  }

  @Test
  void aHostTellsNothingOfWhatRunsOnAnother() {
    usages.heard("a", List.of(sample(2, 0, 1_000, 100), sample(2, 1, 90_000, 9000)));
    usages.heard("b", List.of(sample(2, 0, 90_000, 9000), sample(9, 0, 90_000, 9000)));
    usages.heard("c", List.of(sample(2, 0, 90_000, 9000), sample(2, 1, 90_000, 9000)));
    usages.heard("b", List.of(sample(2, 1, 2_000, 200)));
    Job job = job();
    RunTask lives = new RunTask(1, 1, 1, STARTED, null);
    Usage ended = Usage.newBuilder().build();
    job.setTasks(RunTasks.newBuilder().setLast(2).setLive(List.of(lives)).setUsed(ended).build());
    assertEquals(100, shown(job).getMemKb(), "b says that its run is a later one");
  }

  @Test
  void aJobThatDoesNotRunSaysWhatItsRecordSays() {
    usages.heard("a", List.of(sample(2, 0, 1_000, 100)));
    for (JobStatus status : List.of(JobStatus.QUEUED, JobStatus.HELD, JobStatus.FINISHED)) {
      Job job = job();
      job.setStatus(status);
      assertFalse(usages.complete(job, STARTED + 10_000), status.name());
      assertNull(job.getUsed());
    }
  }

  @Test
  void whatIsNotHeardAnyMoreIsForgottenAndTheRestIsBounded() {
    usages.heard("a", List.of(sample(2, 0, 1_000, 100)));
    for (long i = 0; i < 2 * LiveUsages.KEPT + 1; i++) {
      usages.pulse();
    }
    assertEquals(0, usages.size());
    for (int task = 0; task <= 2 * LiveUsages.PARTS_MAX; task++) {
      usages.heard("a", List.of(sample(2, task, 1_000, 1)));
    }
    Job job = job();
    job.setTasks(RunTasks.newBuilder().setUsed(Usage.newBuilder().build()).build());
    assertEquals(0, shown(job).getMemKb(), "the oldest have fallen out");
    for (long number = 100; number < 100 + LiveUsages.SAMPLES_MAX; number++) {
      usages.heard("a", List.of(new RunSample(number, 1, 0, 0L, 0L, 0L)));
    }
    // Those that are left of job 2 count, too.
    assertEquals(LiveUsages.SAMPLES_MAX - LiveUsages.PARTS_MAX + 1, usages.size());
    usages.heard("a", List.of(new RunSample(100L, 1, 1, 0L, 0L, 0L)));
    Job other = job();
    other.setNumber(100L);
    other.setRun(1);
    assertEquals(0, usages.cputS(other), "no room for a task either");
  }
}
