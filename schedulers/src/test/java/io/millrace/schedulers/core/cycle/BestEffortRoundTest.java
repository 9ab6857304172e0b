package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of best-effort queues fill what is idle, and give way as few as needed. */
class BestEffortRoundTest {

  private SchedulerState state = new SchedulerState("default", 0, new Priority(), 100);
  private BestEffort all = new BestEffort(state, 0, 100);
  private Instant now = Instant.ofEpochSecond(1_795_000_000);

  /** Runs that the last rounds asked to end, and for whom. */
  private final List<String> stops = new ArrayList<>();

  @BeforeEach
  void cluster() {
    all.written(Records.scheduler());
    all.written(Records.queue("workq"));
    for (String name : List.of("n1", "n2")) {
      all.written(Records.object(ObjectKind.NODE, name));
      all.node(Records.node(name, "h" + name, 8, 1L << 40));
    }
  }

  private void bestEffortQueue(String... pairs) {
    List<String> attributes = new ArrayList<>(List.of(pairs));
    attributes.addAll(List.of("queue_type", "Execution", "started", "True"));
    attributes.addAll(List.of("best_effort", "True", "kill_delay", "5"));
    all.written(Records.object(ObjectKind.QUEUE, "be", attributes.toArray(String[]::new)));
  }

  private void submit(long number, String queue, String request) {
    all.job(Records.job(number, queue, 0, request));
  }

  /** One cycle and the round behind it, all of whose starts are granted. */
  private List<Long> round() {
    stops.clear();
    long nowMs = now.toEpochMilli();
    CycleDecisions decided =
        state.workDue(nowMs) ? Cycle.run(state, now, Long.MAX_VALUE) : CycleDecisions.none(now);
    BestEffort.BestEffortOutcome round = all.round(decided.starts(), now, Long.MAX_VALUE);
    List<Long> begun = new ArrayList<>();
    for (Start start : round.starts()) {
      all.granted(start.jobNumber(), Records.allocation(start.shares()), nowMs);
      begun.add(start.jobNumber());
    }
    round.stops().forEach(it -> stops.add(it.jobNumber() + " for " + it.forNumber()));
    now = now.plusMillis(1);
    return begun;
  }

  private void end(long number) {
    all.ending(number, now.toEpochMilli());
    all.gone(number);
  }

  @Test
  void withoutABestEffortQueueThereIsNothing() {
    submit(1, "workq", "ncpus=8");
    assertFalse(all.on());
    assertFalse(all.due(now.toEpochMilli()));
    assertEquals(List.of(1L), round());
  }

  @Test
  void theYoungestGivesWayAndTheJobStartsWhenItIsGone() {
    bestEffortQueue();
    for (long number = 1; number <= 16; number++) {
      submit(number, "be", "ncpus=1");
      assertEquals(List.of(number), round());
    }
    submit(20, "workq", "select=1:ncpus=2");
    assertEquals(List.of(), round());
    // Nodes are taken from the other end by best effort: n1 has the youngest eight.
    assertEquals(List.of("16 for 20", "15 for 20"), stops);
    List<ClassReason> reasons = state.reasons().take(10).reasons();
    assertEquals(
        "It waits for 2 preempted jobs to be gone, and starts then.",
        ReasonText.words(reasons.get(0), ResourceTable.standard()));
    end(16);
    assertEquals(List.of(), round(), "one is left");
    assertEquals(List.of(), stops, "nobody is stopped twice");
    end(15);
    assertEquals(List.of(20L), round());
  }

  @Test
  void asFewAsPossible() {
    bestEffortQueue();
    submit(1, "be", "ncpus=8");
    submit(2, "be", "ncpus=4");
    assertEquals(List.of(1L, 2L), round());
    for (long number = 3; number <= 6; number++) {
      submit(number, "be", "ncpus=1");
      round();
    }
    submit(20, "workq", "ncpus=3");
    round();
    assertEquals(List.of("2 for 20"), stops, "one old run instead of three young ones");
  }

  @Test
  void aRunThatEndsAnywayIsEnough() {
    bestEffortQueue();
    submit(1, "be", "ncpus=8");
    submit(2, "be", "ncpus=8");
    round();
    all.ending(2, now.toEpochMilli());
    submit(20, "workq", "ncpus=8");
    assertEquals(List.of(), round());
    assertEquals(List.of(), stops);
    all.gone(2);
    assertEquals(List.of(20L), round());
  }

  @Test
  void whoWantsANodeForHimselfHasAllOfItsRunsEnded() {
    bestEffortQueue();
    for (long number = 1; number <= 9; number++) {
      submit(number, "be", "ncpus=1");
      round();
    }
    submit(20, "workq", "select=1:ncpus=1,place=excl");
    assertEquals(List.of(), round());
    assertEquals(List.of("9 for 20"), stops);
    end(9);
    assertEquals(List.of(20L), round());
  }

  @Test
  void neitherPromisesNorLimitsRegardThem() {
    state = new SchedulerState("default", 0, new Easy(), 100);
    all = new BestEffort(state, 0, 100);
    cluster();
    all.written(Records.object(ObjectKind.SERVER, "server", "max_run", "[o:PBS_ALL=2]"));
    bestEffortQueue();
    for (long number = 1; number <= 12; number++) {
      submit(number, "be", "ncpus=1,walltime=1000");
    }
    assertEquals(12, round().size(), "the server's limits are not theirs");
    submit(20, "workq", "select=2:ncpus=8,place=scatter,walltime=10");
    submit(21, "workq", "ncpus=1,walltime=1000");
    assertEquals(List.of(), round());
    assertEquals(12, stops.size(), "the first job has both nodes, as if nothing ran");
    long endMs = state.promises().get(0).fromMs();
    assertEquals(10_000, endMs - now.toEpochMilli(), 5, "and the second one those of its end");
  }

  @Test
  void aLimitOfTheirOwnQueueHolds() {
    bestEffortQueue("max_run", "[o:PBS_ALL=3]");
    for (long number = 1; number <= 5; number++) {
      submit(number, "be", "ncpus=1");
    }
    assertEquals(List.of(1L, 2L, 3L), round());
  }

  @Test
  void aRunThatDoesNotEndCountsAfterItsTime() {
    bestEffortQueue();
    submit(1, "be", "ncpus=8");
    submit(2, "be", "ncpus=8");
    round();
    submit(20, "workq", "ncpus=8");
    round();
    assertEquals(List.of("2 for 20"), stops);
    now = now.plusSeconds(66);
    assertTrue(all.due(now.toEpochMilli()));
    assertEquals(List.of(), round());
    assertEquals(List.of(), round(), "to the others, n1 is full now");
    assertEquals(List.of("1 for 20"), stops, "so that it gets the other node");
    end(1);
    assertEquals(List.of(20L), round());
    submit(21, "workq", "ncpus=8");
    assertEquals(List.of(), round());
    end(2);
    assertEquals(List.of(21L), round());
  }

  @Test
  void aStartIsGivenUpWhenItsJobIsHeldOrGone() {
    bestEffortQueue();
    submit(1, "be", "ncpus=8");
    submit(2, "be", "ncpus=8");
    round();
    submit(20, "workq", "ncpus=8");
    round();
    all.holds(20, "u");
    end(2);
    assertEquals(List.of(), round());
    all.holds(20, "n");
    assertEquals(List.of(20L), round());
    submit(21, "workq", "ncpus=8");
    round();
    assertEquals(List.of("1 for 21"), stops);
    all.gone(21);
    all.requeued(1);
    assertEquals(List.of(1L), round(), "its room is free again");
  }

  @Test
  void aRefusalGivesTheStartUp() {
    bestEffortQueue();
    submit(1, "be", "ncpus=8");
    submit(2, "be", "ncpus=8");
    round();
    submit(20, "workq", "ncpus=8");
    round();
    assertEquals(List.of(20L), all.notStopped(2));
    assertEquals(0, all.waitingStarts());
    round();
    assertEquals(List.of("2 for 20"), stops, "it is tried again");
  }

  @Test
  void jobsGoFromOneKindOfQueueToTheOther() {
    bestEffortQueue();
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=8");
    assertEquals(List.of(1L, 2L), round());
    submit(3, "be", "ncpus=4");
    submit(4, "workq", "ncpus=4");
    assertEquals(List.of(), round());
    all.moved(3, "workq", 100);
    all.moved(4, "be", 101);
    assertEquals(state, all.stateOf(3));
    assertEquals(all.rest(), all.stateOf(4));
    all.gone(1);
    assertEquals(List.of(3L, 4L), round());
  }

  @Test
  void aQueueThatComesLateFindsWhatIsHeld() {
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=6");
    assertEquals(List.of(1L, 2L), round());
    bestEffortQueue();
    submit(3, "be", "ncpus=3");
    assertEquals(List.of(), round());
    submit(4, "be", "ncpus=2");
    assertEquals(List.of(4L), round());
    all.gone(1);
    assertEquals(List.of(3L), round());
  }

  /** Of some resources no node runs short, whatever its runs have of them. */
  @Test
  void nobodyGivesWayForWhatNodesHaveWithoutLimit() {
    bestEffortQueue();
    submit(1, "be", "select=2:ncpus=1:mpiprocs=2,place=scatter");
    assertEquals(List.of(1L), round());
    submit(20, "workq", "select=1:ncpus=1:mpiprocs=2");
    submit(21, "workq", "select=1:ncpus=1:mpiprocs=2");
    assertEquals(List.of(20L, 21L), round());
    assertEquals(List.of(), stops);
  }

  /** What a policy says of resources holds for both kinds of jobs, whenever it is said. */
  @Test
  void bothCompareTheSame() {
    all.written(Records.licenses());
    state.inputs().uncompared(Set.of("lic"));
    bestEffortQueue();
    submit(1, "be", "select=2:ncpus=1:lic=1,place=scatter");
    assertEquals(List.of(1L), round());
    submit(2, "workq", "select=1:ncpus=1:lic=1");
    assertEquals(List.of(2L), round());
    assertEquals(List.of(), stops);
    state.inputs().uncompared(Set.of());
    submit(3, "be", "select=1:ncpus=1:lic=1");
    submit(4, "workq", "select=1:ncpus=1:lic=1");
    assertEquals(List.of(), round());
    state.inputs().endless(Set.of("lic"));
    state.inputs().retryAll();
    assertEquals(List.of(3L, 4L), round().stream().sorted().toList());
    assertEquals(List.of(), stops);
  }
}
