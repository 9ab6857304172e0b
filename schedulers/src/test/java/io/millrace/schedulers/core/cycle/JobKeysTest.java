package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
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
