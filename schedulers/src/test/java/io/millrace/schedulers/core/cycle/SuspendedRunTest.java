package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to a job whose run is suspended. */
class SuspendedRunTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);

  @BeforeEach
  void cluster() {
    state.facts().written(Records.scheduler());
    queue();
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 8, 1L << 40));
  }

  private void queue(String... limits) {
    List<String> pairs = new ArrayList<>(List.of("started", "True"));
    pairs.addAll(List.of(limits));
    state.facts().written(Records.object(ObjectKind.QUEUE, "workq", pairs.toArray(String[]::new)));
  }

  private static Job job(long number, String request) {
    Job job = Records.job(number, "workq", 0, request);
    job.setSpec(JobSpec.newBuilder(job.getSpec()).setOwner("alice@h").build());
    return job;
  }

  private static List<NodeShare> shares(int chunks) {
    return List.of(new NodeShare("n1", "h1", chunks, Map.of("ncpus", (long) chunks)));
  }

  private void grant(long number, int chunks) {
    state.facts().granted(number, Records.allocation(shares(chunks)), NOW.toEpochMilli());
  }

  private void suspend(long number, int chunks) {
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(shares(chunks));
    fact.setRanMs(0L);
    fact.setSuspension(Suspension.RESUMABLE);
    state.facts().suspended(number, fact);
  }

  private List<Long> cycle() {
    return Cycle.run(state, NOW, Long.MAX_VALUE).starts().stream().map(Start::jobNumber).toList();
  }

  private void resume(long number) {
    assertEquals(List.of(number), cycle());
    state.facts().resumed(number, NOW.toEpochMilli());
  }

  @Test
  void aRunThatGoesOnCountsWithAllThatItWasGranted() {
    queue("max_run_res.ncpus", "[u:alice=4]");
    state.facts().job(job(1, "ncpus=1"));
    grant(1, 3); // as many slots as its scheduler chose between the least and the most
    suspend(1, 3);
    resume(1);
    state.facts().job(job(2, "ncpus=2"));
    assertEquals(List.of(), cycle());
    state.facts().gone(1);
    assertEquals(List.of(2L), cycle());
  }

  @Test
  void aHoldSaysNothingOfARunThatGoesOn() {
    state.facts().job(job(1, "ncpus=1"));
    grant(1, 1);
    suspend(1, 1);
    state.facts().holds(1, "u");
    resume(1);
  }

  @Test
  void aHoldFromBeforeTheSuspensionDoesNotKeepItBack() {
    state.facts().job(job(1, "ncpus=1"));
    grant(1, 1);
    state.facts().holds(1, "u");
    suspend(1, 1);
    resume(1);
    state.facts().requeued(1);
    assertEquals(List.of(), cycle(), "its next run is held");
    state.facts().holds(1, "n");
    assertEquals(List.of(1L), cycle());
  }

  @Test
  void aHoldKeepsASuspendedRunsJobFromItsNextStart() {
    state.facts().job(job(1, "ncpus=1"));
    grant(1, 1);
    suspend(1, 1);
    state.facts().holds(1, "u");
    state.facts().requeued(1);
    assertEquals(List.of(), cycle());
    state.facts().holds(1, "n");
    assertEquals(List.of(1L), cycle());
  }

  @Test
  void aSchedulerThatStartsNowKnowsTheSame() {
    Job held = job(1, "ncpus=1");
    held.setHolds("u");
    held.setRun(1);
    held.setStatus(JobStatus.RUNNING);
    held.setSuspension(Suspension.RESUMABLE);
    held.setAllocation(Records.allocation(shares(1)));
    state.facts().job(held);
    resume(1);
  }
}
