package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of jobs by the attributes by_queue, round_robin and job_sort_key of a scheduler. */
class JobKeysTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);

  @BeforeEach
  void cluster() {
    scheduler();
    queue("high", "10");
    queue("one", "5");
    queue("two", "5");
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 100, 1L << 40));
  }

  private void queue(String name, String priority) {
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, name, "started", "True", "Priority", priority));
  }

  private void scheduler(String... pairs) {
    String[] all = new String[pairs.length + 2];
    all[0] = "scheduling";
    all[1] = "True";
    System.arraycopy(pairs, 0, all, 2, pairs.length);
    state.facts().written(Records.object(ObjectKind.SCHEDULER, "default", all));
  }

  private void submit(long number, String queue, int priority, String request) {
    state.facts().job(Records.job(number, queue, priority, request));
  }

  private void assertStarts(Long... numbers) {
    List<Long> started =
        Cycle.run(state, NOW, Long.MAX_VALUE).starts().stream().map(Start::jobNumber).toList();
    assertEquals(List.of(numbers), started);
  }

  private void submitMany() {
    submit(1, "one", 0, "ncpus=1");
    submit(2, "two", 5, "ncpus=2");
    submit(3, "high", 0, "ncpus=1");
    submit(4, "one", 9, "ncpus=2");
    submit(5, "two", 0, "ncpus=1");
  }

  @Test
  void queueAfterQueue() {
    scheduler("by_queue", "True");
    submitMany();
    assertStarts(3L, 1L, 4L, 2L, 5L);
  }

  @Test
  void queuesTakeTurns() {
    scheduler("round_robin", "True", "by_queue", "True");
    submitMany();
    assertStarts(3L, 1L, 2L, 4L, 5L);
  }

  @Test
  void aKeyGoesBeforeTheOrderOfSubmissionWhateverTheQueue() {
    scheduler("job_sort_key", "ncpus HIGH");
    submitMany();
    assertStarts(2L, 4L, 1L, 3L, 5L);
  }

  @Test
  void keysInTurnInsideAQueue() {
    scheduler("by_queue", "True", "job_sort_key", "job_priority HIGH, ncpus LOW");
    submitMany();
    submit(6, "one", 9, "ncpus=1");
    assertStarts(3L, 6L, 4L, 1L, 2L, 5L);
  }

  @Test
  void queuesByPriorityThenByAge() {
    scheduler("job_sort_key", "queue_priority HIGH, queue_order LOW, job_priority HIGH");
    submitMany();
    assertStarts(3L, 4L, 1L, 2L, 5L);
  }

  @Test
  void theOrderOfQueuesAloneIsThatOfTheirCreation() {
    state.facts().written(created("one", 7));
    state.facts().written(created("two", 3));
    state.facts().written(created("high", 9));
    scheduler("job_sort_key", "queue_order LOW, submit_time LOW");
    submitMany();
    assertStarts(2L, 5L, 1L, 4L, 3L);
  }

  private static ClusterObject created(String queue, long change) {
    ClusterObject object = Records.object(ObjectKind.QUEUE, queue, "started", "True");
    object.setCreated(change);
    return object;
  }

  @Test
  void submissionBeforeAllLaterKeys() {
    scheduler("job_sort_key", "submit_time LOW, job_priority HIGH");
    submitMany();
    assertStarts(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void moreChunksFirst() {
    scheduler("job_sort_key", "nodect HIGH");
    submit(1, "one", 0, "select=1:ncpus=8");
    submit(2, "one", 0, "select=3:ncpus=1");
    submit(3, "two", 0, "select=2:ncpus=1");
    assertStarts(2L, 3L, 1L);
  }

  @Test
  void queuesTakeTurnsAmongJobsThatAreEqualByTheKeysBefore() {
    scheduler("job_sort_key", "job_priority HIGH, queue_turn LOW");
    submit(1, "one", 0, "ncpus=1");
    submit(2, "one", 0, "ncpus=1");
    submit(3, "two", 0, "ncpus=1");
    submit(4, "two", 0, "ncpus=1");
    submit(5, "two", 9, "ncpus=1");
    assertStarts(5L, 1L, 3L, 2L, 4L);
  }

  @Test
  void theTurnGoesOnInTheNextCycle() {
    scheduler("job_sort_key", "queue_turn LOW");
    for (long number = 1; number <= 6; number++) {
      submit(number, number <= 3 ? "one" : "two", 0, "ncpus=100");
    }
    List<Long> order = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      for (Start start : Cycle.run(state, NOW, Long.MAX_VALUE).starts()) {
        order.add(start.jobNumber());
        state.given().started(start.jobNumber());
        state.facts().gone(start.jobNumber());
      }
    }
    assertEquals(List.of(1L, 4L, 2L, 5L, 3L, 6L), order);
  }

  @Test
  void listedOwnersComeFirstInTheOrderOfTheList() {
    scheduler("job_sort_key", "euser=eve:dan HIGH");
    submit(1, "ann@a.org");
    submit(2, "dan@b.org");
    submit(3, "eve@c.org");
    assertStarts(3L, 2L, 1L);
  }

  @Test
  void withLowTheListedOwnersComeLast() {
    scheduler("job_sort_key", "euser=eve:dan LOW");
    submit(1, "eve@a.org");
    submit(2, "dan@b.org");
    submit(3, "ann@c.org");
    assertStarts(3L, 2L, 1L);
  }

  @Test
  void aDomainStandsForItsHosts() {
    scheduler("job_sort_key", "submit_host=c.org:org HIGH");
    submit(1, "ann@c.com");
    submit(2, "ann@n1.b.org");
    submit(3, "ann@c.org");
    submit(4, "ann@n1.c.org");
    submit(5, "ann@xc.org");
    assertStarts(3L, 4L, 2L, 5L, 1L);
  }

  private void submit(long number, String owner) {
    Job job = Records.job(number, "one", 0, "ncpus=1");
    job.getSpec().setOwner(owner);
    job.getSpec().setSubmitHost(owner.substring(owner.indexOf('@') + 1));
    state.facts().job(job);
  }

  @Test
  void theFormulaGoesBeforeKeys() {
    scheduler("job_sort_key", "ncpus HIGH", "job_sort_formula", "job_priority");
    submitMany();
    assertStarts(4L, 2L, 1L, 3L, 5L);
  }

  @Test
  void aChangeOfKeysOrPriorityCountsForJobsThatWait() {
    submitMany();
    scheduler("by_queue", "True");
    queue("two", "50");
    assertStarts(2L, 5L, 3L, 1L, 4L);
  }

  @Test
  void promisesGoByTheKeysToo() {
    scheduler("job_sort_key", "ncpus HIGH", "strict_ordering", "True", "backfill_depth", "1");
    submit(1, "one", 0, "ncpus=90,walltime=100");
    submit(2, "one", 0, "ncpus=50,walltime=100");
    submit(3, "one", 0, "ncpus=60,walltime=100");
    submit(4, "one", 0, "ncpus=10,walltime=100");
    assertStarts(1L, 4L);
    assertEquals(3L, state.promises().get(0).jobNumber());
  }
}
