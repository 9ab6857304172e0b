package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** job_sort_formula: which job goes first. */
class SortFormulaOrderTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final long BLOCKER = 99;

  private final SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);
  private final List<Long> numbers = new ArrayList<>();

  @BeforeEach
  void begin() {
    state.facts().written(Records.scheduler());
    state
        .facts()
        .written(Records.object(ObjectKind.RESOURCE, "share", "type", "float", "flag", "h"));
    state.facts().written(queue("q", 0));
    state.facts().written(queue("high", 100));
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 8, 1L << 40));
    state.facts().job(Records.job(BLOCKER, "q", 0, "ncpus=8"));
    Cycle.run(state, NOW, Long.MAX_VALUE);
  }

  private static ClusterObject queue(String name, int priority) {
    return Records.object(
        ObjectKind.QUEUE,
        name,
        "queue_type",
        "Execution",
        "enabled",
        "True",
        "started",
        "True",
        "Priority",
        Integer.toString(priority));
  }

  private void submit(long number, String queue, int priority, String request) {
    state.facts().job(Records.job(number, queue, priority, request));
    numbers.add(number);
  }

  private void formula(String text) {
    state
        .facts()
        .written(
            text.isEmpty()
                ? Records.object(ObjectKind.SERVER, "server")
                : Records.object(ObjectKind.SERVER, "server", "job_sort_formula", text));
  }

  /** The jobs in the order of their starts, when each needs the whole node. */
  private List<Long> order() {
    List<Long> order = new ArrayList<>();
    long before = BLOCKER;
    while (order.size() < numbers.size()) {
      state.facts().gone(before);
      List<Start> starts = Cycle.run(state, NOW, Long.MAX_VALUE).starts();
      assertEquals(1, starts.size(), order.toString());
      before = starts.get(0).jobNumber();
      order.add(before);
    }
    return order;
  }

  @Test
  void whoHasMoreOfItGoesFirst() {
    submit(1, "q", 0, "ncpus=8,walltime=60");
    submit(2, "q", 0, "ncpus=8,walltime=600");
    submit(3, "q", 0, "ncpus=8,walltime=300");
    formula("walltime");
    assertEquals(List.of(2L, 3L, 1L), order());
  }

  @Test
  void itStandsInPlaceOfPriorities() {
    submit(1, "high", 900, "ncpus=8,walltime=600");
    submit(2, "q", 0, "ncpus=8,walltime=60");
    formula("-walltime");
    assertEquals(List.of(2L, 1L), order());
  }

  @Test
  void prioritiesCountAsItSays() {
    submit(1, "q", 500, "ncpus=8");
    submit(2, "high", -1, "ncpus=8");
    submit(3, "high", -3, "ncpus=8");
    submit(4, "high", -2, "ncpus=8");
    formula("10 * queue_priority - job_priority");
    assertEquals(List.of(3L, 4L, 2L, 1L), order());
  }

  @Test
  void aJobOfSeveralChunksHasAllOfTheirs() {
    submit(1, "q", 0, "ncpus=8,mem=1000mb");
    state
        .facts()
        .job(
            Records.job(
                2,
                2,
                Records.spec(
                    "q", 0, Records.request("select=7:ncpus=1:mem=200mb+1:ncpus=1:mem=100mb"))));
    numbers.add(2L);
    formula("mem / 1024");
    assertEquals(List.of(2L, 1L), order());
  }

  @Test
  void equalJobsKeepTheOrderOfSubmission() {
    submit(2, "q", 5, "ncpus=8,walltime=60");
    submit(1, "q", 0, "ncpus=8,walltime=90");
    submit(3, "q", 9, "ncpus=8,walltime=60");
    formula("1/(ncpus - 8)");
    assertEquals(List.of(1L, 2L, 3L), order());
  }

  @Test
  void anotherFormulaAnotherOrder() {
    submit(1, "q", 1, "ncpus=8,walltime=60");
    submit(2, "q", 2, "ncpus=8,walltime=60");
    submit(3, "q", 3, "ncpus=8,walltime=60");
    formula("job_priority");
    formula("-job_priority");
    submit(4, "q", 2, "ncpus=8,walltime=60");
    assertEquals(List.of(1L, 2L, 4L, 3L), order());
  }

  @Test
  void withoutItThePolicyOrders() {
    submit(1, "q", 1, "ncpus=8,walltime=60");
    submit(2, "q", 2, "ncpus=8,walltime=60");
    formula("-job_priority");
    formula("");
    assertEquals(List.of(2L, 1L), order());
  }

  @Test
  void aQueuesNewPriorityCounts() {
    submit(1, "q", 1, "ncpus=8");
    submit(2, "q", 2, "ncpus=8");
    submit(3, "high", 0, "ncpus=8");
    formula("queue_priority * job_priority");
    state.facts().written(queue("q", -5));
    assertEquals(List.of(3L, 1L, 2L), order());
  }

  @Test
  void aSchedulersOwnHolds() {
    submit(1, "q", 1, "ncpus=8,walltime=60");
    submit(2, "q", 0, "ncpus=8,walltime=90");
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER,
                "default",
                "scheduling",
                "True",
                "job_sort_formula",
                "walltime"));
    assertEquals(List.of(2L, 1L), order());
  }

  private void threshold(String value) {
    String formula = "job_sort_formula";
    state
        .facts()
        .written(
            value.isEmpty()
                ? Records.object(
                    ObjectKind.SCHEDULER, "default", "scheduling", "True", formula, "job_priority")
                : Records.object(
                    ObjectKind.SCHEDULER,
                    "default",
                    "scheduling",
                    "True",
                    formula,
                    "job_priority",
                    "job_sort_formula_threshold",
                    value));
  }

  @Test
  void whoIsWorthNoMoreThanTheThresholdWaits() {
    submit(1, "q", 5, "ncpus=1");
    submit(2, "q", 6, "ncpus=1");
    submit(3, "q", 5, "ncpus=2");
    threshold("5");
    state.facts().gone(BLOCKER);
    CycleDecisions first = Cycle.run(state, NOW, Long.MAX_VALUE);
    assertEquals(List.of(2L), first.starts().stream().map(Start::jobNumber).toList());
    assertEquals(
        List.of("UNDER_THRESHOLD 5", "UNDER_THRESHOLD 5"),
        first.left().stream().map(it -> it.code() + " " + it.shortage().subject()).toList());
    assertEquals(List.of(), Cycle.run(state, NOW, Long.MAX_VALUE).starts());

    state.facts().job(Records.job(4, "q", 7, "ncpus=1"));
    assertEquals(4, Cycle.run(state, NOW, Long.MAX_VALUE).starts().get(0).jobNumber());
    threshold("");
    assertEquals(2, Cycle.run(state, NOW, Long.MAX_VALUE).starts().size());
  }

  @Test
  void nothingIsPromisedUnderTheThreshold() {
    submit(1, "q", 5, "ncpus=8");
    submit(2, "q", 6, "ncpus=8");
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER,
                "default",
                "scheduling",
                "True",
                "policy",
                "conservative",
                "job_sort_formula",
                "job_priority",
                "job_sort_formula_threshold",
                "5.5"));
    Cycle.run(state, NOW, Long.MAX_VALUE);
    assertEquals(List.of(2L), state.promises().stream().map(Promise::jobNumber).toList());
  }

  @Test
  void thePromiseIsTheFirstJobs() {
    submit(1, "q", 0, "ncpus=8,walltime=60");
    submit(2, "q", 0, "ncpus=8,walltime=600");
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "strict_ordering", "True"));
    state.facts().gone(BLOCKER);
    state.facts().job(Records.job(98, "q", 1000, "ncpus=8,walltime=100"));
    assertEquals(1, Cycle.run(state, NOW, Long.MAX_VALUE).starts().size());
    assertEquals(1, state.promises().get(0).jobNumber());
    formula("walltime");
    Cycle.run(state, NOW, Long.MAX_VALUE);
    assertEquals(1, state.promises().size());
    assertEquals(2, state.promises().get(0).jobNumber());
  }
}
