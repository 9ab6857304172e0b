package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of an express queue preempt others, as few as needed. */
class PreemptionTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private SchedulerState state = new SchedulerState("default", 0, new Priority(), 100);
  private Instant now = NOW;

  /** Preemptions that the last cycle asked for: the job and the ways. */
  private final List<String> stops = new ArrayList<>();

  @BeforeEach
  void cluster() {
    scheduler();
    state.facts().written(Records.queue("workq"));
    queue("express", 150);
    for (String name : List.of("n1", "n2")) {
      state.facts().written(Records.object(ObjectKind.NODE, name));
      state.facts().node(Records.node(name, "h" + name, 8, 1L << 40));
    }
  }

  @Test
  void anExpressJobStartsWhenTheStoppedOneIsGone() {
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=8");
    submit(3, "workq", "ncpus=8");
    assertEquals(List.of(1L, 2L), cycle());
    submit(4, "express", "ncpus=8");
    assertEquals(List.of(), cycle());
    assertEquals(List.of("2 SR"), stops, "the one that began last");
    assertEquals(List.of("It waits for 1 preempted job to be gone, and starts then."), reasons());
    state.facts().ending(2, now.toEpochMilli());
    assertEquals(List.of(), cycle());
    assertEquals(List.of(), stops, "nobody is stopped twice");
    state.facts().requeued(2);
    assertEquals(List.of(4L), cycle(), "job 3 and 2 do not take what was freed for it");
    state.facts().gone(4);
    assertEquals(List.of(2L), cycle(), "the stopped job has kept its place");
  }

  /** Job 2 was stopped; job 5 comes later, with a higher priority of its own. */
  private List<Long> afterTheExpressJob(String... pairs) {
    scheduler(pairs);
    submit(1, "workq", "ncpus=8");
    assertEquals(List.of(1L), cycle());
    now = now.plusSeconds(1);
    submit(2, "workq", "ncpus=8");
    assertEquals(List.of(2L), cycle());
    submit(3, "express", "ncpus=8");
    cycle();
    assertEquals(List.of("2 SR"), stops);
    state.facts().requeued(2);
    assertEquals(List.of(3L), cycle());
    submit(4, "workq", "ncpus=8");
    state.facts().job(Records.job(5, "workq", 100, "ncpus=8"));
    submit(6, "express", "ncpus=8");
    state.facts().gone(3);
    List<Long> order = new ArrayList<>(cycle());
    for (long gone : List.of(6L, 5L, 2L)) {
      state.facts().gone(gone);
      order.addAll(cycle());
    }
    return order;
  }

  @Test
  void withoutSched_preempt_enforce_resumptionAStoppedJobKeepsItsPlace() {
    assertEquals(List.of(6L, 5L, 2L, 4L), afterTheExpressJob());
  }

  @Test
  void withSched_preempt_enforce_resumptionItComesBeforeThoseOfItsLevel() {
    assertEquals(
        List.of(6L, 2L),
        afterTheExpressJob("sched_preempt_enforce_resumption", "True").subList(0, 2));
  }

  @Test
  void noMoreAreStoppedThanNeeded() {
    submit(1, "workq", "ncpus=6");
    submit(2, "workq", "ncpus=6");
    submit(3, "workq", "ncpus=1");
    submit(4, "workq", "ncpus=1");
    assertEquals(List.of(1L, 2L, 3L, 4L), cycle());
    submit(5, "express", "ncpus=4");
    cycle();
    assertEquals(List.of("2 SR"), stops, "the small ones that began later are of no use");
  }

  @Test
  void oneIsStoppedInsteadOfTwo() {
    submit(1, "workq", "ncpus=4");
    now = now.plusSeconds(1);
    cycle();
    submit(2, "workq", "ncpus=2");
    submit(3, "workq", "ncpus=2");
    submit(4, "workq", "ncpus=8");
    now = now.plusSeconds(1);
    assertEquals(List.of(2L, 3L, 4L), cycle());
    submit(5, "express", "ncpus=4");
    now = now.plusSeconds(1);
    cycle();
    assertEquals(1, stops.size(), stops.toString());
  }

  @Test
  void nobodyIsStoppedInVain() {
    submit(1, "workq", "ncpus=8");
    submit(2, "express", "ncpus=8");
    assertEquals(List.of(2L, 1L), cycle(), "the express job comes first");
    submit(3, "express", "ncpus=20");
    submit(4, "express", "ncpus=9,mem=1gb");
    cycle();
    assertEquals(List.of(), stops, "too large");
    submit(5, "express", "select=2:ncpus=8");
    cycle();
    assertEquals(List.of(), stops, "the other one is as high");
    queue("express", 150, "max_run", "[o:PBS_ALL=1]");
    submit(6, "express", "ncpus=8");
    cycle();
    assertEquals(List.of(), stops, "at its limit");
    queue("express", 150);
    cycle();
    assertEquals(List.of("1 SR"), stops);
  }

  @Test
  void theWaysFollowTheOrderAndTheJob() {
    scheduler("preempt_order", "R 50 D");
    Job once = Records.job(1, "workq", 0, "ncpus=8,walltime=100");
    once.setSpec(JobSpec.newBuilder(once.getSpec()).setRerunnable(false).build());
    state.facts().job(once);
    submit(2, "workq", "ncpus=8,walltime=100");
    assertEquals(List.of(1L, 2L), cycle());
    submit(3, "express", "select=2:ncpus=8");
    now = now.plusSeconds(40);
    assertEquals(List.of(), cycle());
    assertEquals(List.of(), stops, "job 1 may not be run again, and may not yet be deleted");
    now = now.plusSeconds(20);
    cycle();
    assertEquals(List.of("2 D", "1 D"), stops);
  }

  @Test
  void ofTwoExpressQueuesTheOneOfHigherPriorityIsAbove() {
    queue("urgent", 200);
    submit(1, "express", "ncpus=8");
    submit(2, "express", "ncpus=8");
    cycle();
    submit(3, "express", "ncpus=8");
    submit(4, "urgent", "ncpus=8");
    cycle();
    assertEquals(List.of("2 SR"), stops, "for job 4 only");
    state.facts().requeued(2);
    assertEquals(List.of(4L), cycle());
    queue("urgent", 149);
    submit(5, "urgent", "ncpus=8");
    cycle();
    assertEquals(List.of("4 SR"), stops, "for job 2: the urgent queue is none any more");
  }

  @Test
  void checkpointingIsPassedOver() {
    scheduler("preempt_order", "C 50 CD");
    submit(1, "workq", "ncpus=8,walltime=100");
    submit(2, "workq", "ncpus=8,walltime=100");
    cycle();
    submit(3, "express", "ncpus=8");
    cycle();
    assertEquals(List.of(), stops);
    now = now.plusSeconds(60);
    cycle();
    assertEquals(List.of("2 D"), stops);
  }

  @Test
  void aJobThatIsNotStoppedRunsOn() {
    submit(1, "workq", "ncpus=8,walltime=1000");
    submit(2, "workq", "ncpus=8,walltime=1000");
    cycle();
    submit(3, "express", "ncpus=8");
    cycle();
    assertEquals(List.of("2 SR"), stops);
    long soon = state.books().holdings().endMs(2);
    assertEquals(List.of(3L), state.answers().notStopped(2));
    assertTrue(soon < state.books().holdings().endMs(2));
    state.answers().backOff(3, "15016", true, now.toEpochMilli());
    cycle();
    assertEquals(List.of(), stops);
    assertFalse(state.workDue());
  }

  @Test
  void aDeletedExpressJobGivesUpWhatItWaitsFor() {
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=8");
    cycle();
    submit(3, "express", "ncpus=8");
    cycle();
    state.facts().gone(3);
    state.facts().requeued(2);
    assertEquals(List.of(2L), cycle());
  }

  @Test
  void aNodeThatDoesNotEndARunIsNotAskedForMore() {
    for (long job = 1; job <= 4; job++) {
      submit(job, "workq", "ncpus=4");
    }
    cycle();
    submit(5, "express", "ncpus=4");
    cycle();
    assertEquals(List.of("4 SR"), stops);
    state.facts().ending(4, now.toEpochMilli());
    now = now.plusSeconds(61);
    cycle();
    assertEquals(List.of("2 SR"), stops, "job 3 runs beside the one that does not end");
    state.facts().ending(2, now.toEpochMilli());
    now = now.plusSeconds(61);
    cycle();
    assertEquals(List.of(), stops, "there is no node left that listens");
    state.facts().requeued(4);
    assertEquals(List.of(5L), cycle());
  }

  @Test
  void nobodyStartsOnANodeThatIsGone() {
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=4");
    cycle();
    submit(3, "express", "select=2:ncpus=6");
    cycle();
    assertEquals(List.of("1 SR", "2 SR"), stops.stream().sorted().toList());
    state.facts().nodeGone("n1");
    assertTrue(state.books().preemption().claims().isEmpty());
    state.facts().requeued(1);
    state.facts().requeued(2);
    assertEquals(List.of(1L), cycle());
  }

  @Test
  void nobodyStartsOnANodeThatIsDeleted() {
    submit(1, "workq", "ncpus=8");
    submit(2, "workq", "ncpus=8");
    cycle();
    // The only run on the deleted node was that of job 3, so none of its victims is there.
    state.facts().gone(1);
    submit(3, "express", "select=2:ncpus=8");
    cycle();
    assertEquals(List.of("2 SR"), stops);
    state.facts().deleted(ObjectKind.NODE, "n1");
    assertTrue(state.books().preemption().claims().isEmpty());
    assertNull(state.books().nodes().get("n1"));
  }

  @Test
  void theTimeOfAJobThatWaitedForOthersCountsFromItsStart() {
    state = new SchedulerState("default", 0, new Easy(), 100);
    cluster();
    submit(1, "workq", "ncpus=8,walltime=1000");
    submit(2, "workq", "ncpus=8,walltime=1000");
    cycle();
    submit(3, "express", "ncpus=8,walltime=100");
    submit(4, "workq", "ncpus=8,walltime=100");
    cycle();
    assertEquals(List.of("2 SR"), stops);
    assertEquals(NOW.plusSeconds(100).toEpochMilli(), state.promises().get(0).fromMs());
    now = NOW.plusSeconds(30);
    state.facts().gone(2);
    assertEquals(List.of(3L), cycle());
    long endMs = NOW.plusSeconds(130).toEpochMilli();
    assertEquals(endMs, state.books().holdings().endMs(3));
    assertEquals(endMs, state.promises().get(0).fromMs(), "job 4 is told the truth at once");
  }

  @Test
  void aPromiseOfAnEquallyHighJobStays() {
    state = new SchedulerState("default", 0, new Easy(), 100);
    cluster();
    queue("express", 150);
    submit(1, "express", "ncpus=8,walltime=100");
    submit(2, "workq", "ncpus=8,walltime=1000");
    assertEquals(List.of(1L, 2L), cycle());
    submit(3, "express", "select=2:ncpus=8,walltime=100");
    cycle();
    assertEquals(List.of(), stops, "half of what it needs is an express job's");
    long promisedMs = state.promises().get(0).fromMs();
    submit(4, "express", "ncpus=8,walltime=5000");
    cycle();
    assertEquals(List.of(), stops, "it would run on when job 3 is to start");
    assertEquals(promisedMs, state.promises().get(0).fromMs());
  }

  @Test
  void offUnlessAQueueIsAnExpressQueue() {
    queue("express", 149);
    assertFalse(state.books().preemption().active());
    queue("express", 150);
    assertTrue(state.books().preemption().active());
    scheduler("preemptive_sched", "False");
    assertFalse(state.books().preemption().active());
    scheduler("preempt_queue_prio", "151");
    assertFalse(state.books().preemption().active());
    scheduler("preempt_prio", "normal_jobs, express_queue");
    assertTrue(state.books().preemption().active());
    submit(1, "express", "ncpus=8");
    submit(2, "express", "ncpus=8");
    cycle();
    submit(3, "workq", "ncpus=8");
    cycle();
    assertEquals(List.of("2 SR"), stops, "here the express queue is the lower one");
  }

  private void scheduler(String... pairs) {
    List<String> all = new ArrayList<>(List.of("scheduling", "True"));
    all.addAll(List.of(pairs));
    state
        .facts()
        .written(Records.object(ObjectKind.SCHEDULER, "default", all.toArray(String[]::new)));
  }

  private void queue(String name, int priority, String... pairs) {
    List<String> all =
        new ArrayList<>(List.of("started", "True", "Priority", Integer.toString(priority)));
    all.addAll(List.of(pairs));
    state.facts().written(Records.object(ObjectKind.QUEUE, name, all.toArray(String[]::new)));
  }

  private void submit(long number, String queue, String request) {
    state.facts().job(Records.job(number, queue, 0, request));
  }

  private List<Long> cycle() {
    stops.clear();
    List<Long> started = new ArrayList<>();
    do {
      CycleDecisions decisions = Cycle.run(state, now, Long.MAX_VALUE);
      decisions.preempted().forEach(it -> stops.add(it.jobNumber() + " " + it.letters()));
      for (Start start : decisions.starts()) {
        started.add(start.jobNumber());
        state
            .facts()
            .granted(start.jobNumber(), Records.allocation(start.shares()), now.toEpochMilli());
      }
    } while (state.workDue(now.toEpochMilli()));
    return started;
  }

  private List<String> reasons() {
    return state.reasons().take(100).reasons().stream()
        .filter(it -> it.getCode().equals("PREEMPTING"))
        .map(PreemptionTest::words)
        .toList();
  }

  private static String words(ClassReason reason) {
    return ReasonText.words(reason, ResourceTable.standard());
  }
}
