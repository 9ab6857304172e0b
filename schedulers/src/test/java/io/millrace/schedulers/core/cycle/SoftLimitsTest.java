package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Soft limits: jobs above them come last and are preempted for others. */
class SoftLimitsTest {

  private static final String LEVELS = "normal_jobs, server_softlimits, queue_softlimits";

  private final SchedulerState state = new SchedulerState("default", 0, new Priority(), 100);
  private final Map<Long, List<NodeShare>> shares = new HashMap<>();
  private final List<String> stops = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_795_000_000);

  @BeforeEach
  void cluster() {
    scheduler("preempt_prio", LEVELS);
    queue("workq");
    queue("other");
    for (String name : List.of("n1", "n2")) {
      state.facts().written(Records.object(ObjectKind.NODE, name));
      state.facts().node(Records.node(name, "h" + name, 2, 1L << 40));
    }
  }

  @Test
  void jobsBeyondALimitComeAfterAllOthers() {
    server("max_run_soft", "[u:PBS_GENERIC=1]");
    submit(1, "alice", "workq");
    submit(2, "alice", "workq");
    submit(3, "alice", "workq");
    submit(4, "bob", "workq");
    submit(5, "bob", "workq");
    assertEquals(List.of(1L, 2L, 4L, 5L), cycle(), "with two alice is beyond, as bob is later");
    assertEquals(List.of(), stops);
    submit(6, "carol", "workq");
    state.facts().gone(5);
    assertEquals(List.of(6L), cycle());
    state.facts().gone(6);
    assertEquals(List.of(3L), cycle(), "what nobody else wants is theirs");
  }

  @Test
  void jobsBeyondALimitMakeRoom() {
    server("max_run_soft", "[u:PBS_GENERIC=1]");
    for (long number = 1; number <= 4; number++) {
      submit(number, "alice", "workq");
    }
    assertEquals(List.of(1L, 2L, 3L, 4L), cycle());
    submit(5, "bob", "workq");
    submit(6, "bob", "workq");
    assertEquals(List.of(), cycle());
    assertEquals(List.of("4 SR"), stops, "one for the first of bob's, and none for the second");
    suspend(4);
    assertEquals(List.of(5L), cycle());
    assertEquals(List.of(), stops, "job 4 and bob's second are both beyond");
    state.facts().gone(5);
    shares.remove(5L);
    assertEquals(List.of(6L), cycle(), "bob is not beyond any more");
    state.facts().gone(3);
    assertEquals(List.of(4L), cycle(), "it goes on on its own node");
  }

  @Test
  void noMoreAreStoppedThanAreBeyond() {
    server("max_run_soft", "[u:alice=3]");
    for (long number = 1; number <= 4; number++) {
      submit(number, "alice", "workq");
    }
    assertEquals(List.of(1L, 2L, 3L, 4L), cycle());
    submit(5, "bob", "workq", "ncpus=2");
    cycle();
    assertEquals(List.of(), stops, "with one job less alice is at her limit");
    submit(6, "bob", "workq", "ncpus=1");
    cycle();
    assertEquals(List.of("4 SR"), stops);
  }

  @Test
  void aQueueHasItsOwnLevelAndAmounts() {
    scheduler("preempt_prio", "normal_jobs, queue_softlimits");
    queue("workq", "max_run_res_soft.ncpus", "[o:PBS_ALL=2]");
    server("max_user_run_soft", "0");
    submit(1, "alice", "workq", "ncpus=2");
    assertEquals(List.of(1L), cycle());
    submit(2, "bob", "workq", "ncpus=1");
    submit(3, "carol", "other", "ncpus=1");
    assertEquals(List.of(2L, 3L), cycle(), "two are in use, which is no more than two");
    submit(4, "carol", "workq", "ncpus=1");
    submit(5, "bob", "other", "ncpus=1");
    cycle();
    assertEquals(List.of("2 SR"), stops, "for job 5 only; the server's level is not named");
  }

  @Test
  void oldFormsHoldBesideNewOnes() {
    queue("workq", "max_group_run_soft", "1", "max_run_soft", "[u:alice=3]");
    submit(1, "alice", "workq");
    submit(2, "alice", "workq");
    submit(3, "alice", "workq");
    submit(4, "alice", "other");
    assertEquals(List.of(1L, 2L, 4L, 3L), cycle(), "job 3 is beyond the limit of the group");
  }

  @Test
  void nothingHappensUnlessALevelNamesThem() {
    scheduler("preempt_prio", "express_queue, normal_jobs");
    server("max_run_soft", "[u:PBS_GENERIC=1]");
    submit(1, "alice", "workq");
    submit(2, "alice", "workq");
    submit(3, "bob", "workq");
    assertEquals(List.of(1L, 2L, 3L), cycle());
    assertFalse(state.books().preemption().active());
  }

  private void scheduler(String... pairs) {
    List<String> all = new ArrayList<>(List.of("scheduling", "True"));
    all.addAll(List.of(pairs));
    state
        .facts()
        .written(Records.object(ObjectKind.SCHEDULER, "default", all.toArray(String[]::new)));
  }

  private void server(String... pairs) {
    state.facts().written(Records.object(ObjectKind.SERVER, "server", pairs));
  }

  private void queue(String name, String... pairs) {
    List<String> all = new ArrayList<>(List.of("started", "True"));
    all.addAll(List.of(pairs));
    state.facts().written(Records.object(ObjectKind.QUEUE, name, all.toArray(String[]::new)));
  }

  private void submit(long number, String user, String queue) {
    submit(number, user, queue, "ncpus=1");
  }

  private void submit(long number, String user, String queue, String request) {
    JobSpec spec = JobSpec.newBuilder(Records.spec(queue, 0, Records.request(request))).build();
    spec.setOwner(user + "@h");
    spec.setGroup("staff");
    Job job = Records.job(number, number, spec);
    state.facts().job(job);
  }

  private void suspend(long number) {
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(shares.get(number));
    fact.setRanMs(0L);
    fact.setSuspension(Suspension.RESUMABLE);
    state.facts().suspended(number, fact);
  }

  private List<Long> cycle() {
    stops.clear();
    now = now.plusSeconds(1);
    List<Long> started = new ArrayList<>();
    do {
      CycleDecisions decisions = Cycle.run(state, now, Long.MAX_VALUE);
      decisions.preempted().forEach(it -> stops.add(it.jobNumber() + " " + it.letters()));
      for (Start start : decisions.starts()) {
        started.add(start.jobNumber());
        if (state.answers().suspendedRun(start.jobNumber()) > 0) {
          state.facts().resumed(start.jobNumber(), now.toEpochMilli());
        } else {
          shares.put(start.jobNumber(), start.shares());
          state
              .facts()
              .granted(start.jobNumber(), Records.allocation(start.shares()), now.toEpochMilli());
        }
      }
    } while (state.workDue(now.toEpochMilli()));
    return started;
  }
}
