package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EligibilityTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  /** Classes that a trial takes. */
  private static final int TRIED = 100;

  private final SchedulerState state = new SchedulerState("default", 0, new Easy(), 100);

  @BeforeEach
  void cluster() {
    state.facts().written(Records.scheduler());
    queue("workq");
    queue("other");
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 100, 1L << 40));
  }

  @Test
  void eachUserHasItsOwnCount() {
    queue("workq", "max_run", "[u:PBS_GENERIC=2],[u:bob=1]");
    submit(1, "alice", "workq", "ncpus=1");
    submit(2, "alice", "workq", "ncpus=1");
    submit(3, "alice", "workq", "ncpus=1");
    submit(4, "bob", "workq", "ncpus=1");
    submit(5, "bob", "workq", "ncpus=1");
    submit(6, "bob", "other", "ncpus=1");
    assertEquals(List.of(1L, 2L, 4L, 6L), cycle());
    assertEquals(
        List.of(
            "Not Running: User has reached queue workq running job limit.",
            "Not Running: Queue workq job limit reached for user bob"),
        comments());
    assertTrue(cycle().isEmpty());
    state.facts().gone(4);
    assertEquals(List.of(5L), cycle());
  }

  @Test
  void eachFormCountsAJobOnce() {
    queue("workq", "max_run", "[o:PBS_ALL=2]", "max_running", "2");
    submit(1, "alice", "workq", "ncpus=1");
    submit(2, "alice", "workq", "ncpus=1");
    submit(3, "alice", "workq", "ncpus=1");
    assertEquals(List.of(1L, 2L), cycle());
    state.facts().gone(1);
    assertEquals(List.of(3L), cycle());
  }

  @Test
  void theEndOfARunWakesOnlyThoseWhomItConcerns() {
    server("max_run", "[u:PBS_GENERIC=1]");
    submit(1, "alice", "workq", "ncpus=1");
    submit(2, "alice", "other", "ncpus=2");
    submit(3, "bob", "workq", "ncpus=1");
    submit(4, "bob", "other", "ncpus=2");
    assertEquals(List.of(1L, 3L), cycle());
    state.facts().gone(1);
    assertEquals(1, state.books().ready().dirty().size());
    assertEquals(List.of(2L), cycle());
    assertFalse(state.workDue());
  }

  @Test
  void amountsOfAResource() {
    server("max_run_res.ncpus", "[o:PBS_ALL=10],[g:staff=4]");
    submit(1, "alice", "workq", "ncpus=4");
    submit(2, "alice", "workq", "ncpus=1");
    assertEquals(List.of(1L), cycle());
    assertEquals(
        List.of("Not Running: would exceed group staff's limit on resource ncpus in complex"),
        comments());
    server("max_run_res.ncpus", "[o:PBS_ALL=4]");
    assertTrue(cycle().isEmpty());
    assertEquals(
        List.of("Not Running: would exceed overall limit on resource ncpus in complex"),
        comments());
    server();
    assertEquals(List.of(2L), cycle());
  }

  /** Where others have the rest, a trial costs what a few classes cost, however many wait. */
  @Test
  void beyondWhatOthersLeaveOnlyTheFirstAreTried() {
    server("resources_available.ncpus", "1000000");
    state.facts().node(Records.node("n1", "h1", 1_000_000, 1L << 40));
    for (int i = 1; i <= 3 * TRIED; i++) {
      submit(i, "alice", "workq", "ncpus=1,mem=" + i + "kb");
    }
    state.inputs().leased("ncpus", 50);
    assertEquals(50, cycle().size());
    assertEquals(0, dirty());
    assertTrue(state.inputs().tryBeyondLeases());
    assertEquals(TRIED, dirty());
    List<Long> tried =
        Cycle.run(state, NOW, Long.MAX_VALUE).starts().stream().map(Start::jobNumber).toList();
    assertEquals(LongStream.rangeClosed(51, 50 + TRIED).boxed().toList(), tried);
    tried.forEach(state.facts()::withdraw);
    state.inputs().leased("ncpus", 0);
    assertEquals(TRIED, dirty(), "those that were refused, and none of the others");
    assertTrue(cycle().isEmpty());
    assertEquals(0, dirty());
    state.inputs().leased("ncpus", 1);
    assertEquals(List.of(51L), cycle());
    state.inputs().endLeases();
    assertEquals(100, cycle().size(), "as many as may be open");
  }

  private int dirty() {
    return state.books().ready().dirty().size();
  }

  @Test
  void oldFormsHoldToo() {
    queue("workq", "max_running", "1");
    submit(1, "alice", "workq", "ncpus=1");
    submit(2, "bob", "workq", "ncpus=1");
    assertEquals(List.of(1L), cycle());
    assertEquals(List.of("Not Running: Queue workq job limit has been reached."), comments());
    queue("workq", "max_user_res.ncpus", "1");
    assertEquals(List.of(2L), cycle());
    submit(3, "bob", "workq", "ncpus=1");
    assertTrue(cycle().isEmpty());
    assertEquals(
        List.of("Not Running: Queue workq per-user limit reached on resource ncpus"), comments());
  }

  @Test
  void oneAtItsLimitGetsNoPromiseAndHoldsUpNobody() {
    queue("workq", "max_run", "[u:alice=1]");
    submit(1, "alice", "workq", "ncpus=60");
    submit(2, "alice", "workq", "ncpus=100");
    submit(3, "bob", "workq", "ncpus=40,walltime=1000");
    assertEquals(List.of(1L, 3L), cycle());
    assertTrue(state.promises().isEmpty());
  }

  @Test
  void aJobWithAPromiseCountsAsOneThatRuns() {
    queue("workq", "max_run", "[u:alice=2]");
    submit(1, "alice", "workq", "ncpus=60,walltime=1000");
    assertEquals(List.of(1L), cycle());
    submit(2, "alice", "workq", "ncpus=100,walltime=1000");
    submit(3, "alice", "workq", "ncpus=1,walltime=10");
    submit(4, "bob", "workq", "ncpus=1,walltime=10");
    assertEquals(List.of(4L), cycle());
    assertEquals(2, state.promises().get(0).jobNumber());
    assertTrue(
        state.reasons().take(100).reasons().stream()
            .anyMatch(
                it ->
                    ReasonText.words(it, ResourceTable.standard())
                        .contains("1 of 2 are running, and what is left is promised")));
    assertTrue(cycle().isEmpty());
    state.facts().holds(2, "u");
    assertEquals(List.of(3L), cycle());
    state.facts().holds(2, "n");
    state.facts().gone(3);
    assertTrue(cycle().isEmpty());
    submit(5, "alice", "workq", "ncpus=1,walltime=10");
    assertTrue(cycle().isEmpty());
    state.facts().gone(1);
    state.facts().gone(4);
    assertEquals(List.of(2L), cycle());
  }

  @Test
  void aPromiseHindersNobodyWhoComesBefore() {
    queue("workq", "max_run", "[u:alice=2]");
    submit(1, "alice", "workq", "ncpus=60,walltime=1000");
    submit(3, "alice", "workq", "ncpus=100,walltime=1000");
    assertEquals(List.of(1L), cycle());
    assertEquals(3, state.promises().get(0).jobNumber());
    submit(2, "alice", "workq", "ncpus=40,walltime=5000");
    assertEquals(List.of(2L), cycle());
    assertTrue(state.promises().isEmpty());
  }

  @Test
  void theReasonIsAnotherAtAnotherLimit() {
    queue("workq", "max_run", "[u:alice=1]", "max_run_res.ncpus", "[u:alice=8]");
    submit(1, "alice", "workq", "ncpus=4");
    assertEquals(List.of(1L), cycle());
    queue("workq", "max_run", "[u:alice=2]", "max_run_res.ncpus", "[u:alice=8]");
    submit(2, "alice", "workq", "ncpus=4");
    assertEquals(List.of(2L), cycle());
    submit(3, "alice", "workq", "ncpus=5");
    assertTrue(cycle().isEmpty());
    assertEquals(List.of("Not Running: Queue workq job limit reached for user alice"), comments());
    state.facts().gone(2);
    assertTrue(cycle().isEmpty());
    assertEquals(
        List.of("Not Running: would exceed user alice's limit on resource ncpus in queue workq"),
        comments());
  }

  @Test
  void whatThereIsOfAResourceIsNotPassed() {
    queue("workq", "resources_available.ncpus", "8");
    server("resources_available.ncpus", "10");
    submit(1, "alice", "workq", "ncpus=5");
    submit(2, "bob", "workq", "ncpus=4");
    submit(3, "bob", "other", "ncpus=4");
    submit(4, "bob", "other", "ncpus=3");
    submit(5, "bob", "other", "ncpus=11");
    assertEquals(List.of(1L, 3L), cycle());
    assertEquals(
        Set.of(
            "Not Running: Insufficient amount of queue resource: ncpus (R: 4 A: 3 T: 8)",
            "Not Running: Insufficient amount of server resource: ncpus (R: 3 A: 1 T: 10)",
            "Can Never Run: Insufficient amount of server resource: ncpus (R: 11 A: 10 T: 10)"),
        Set.copyOf(comments()));
    state.facts().gone(1);
    assertEquals(List.of(2L), cycle());
  }

  @Test
  void limitsAreToldBeforeWhatThereIs() {
    queue("workq", "resources_available.ncpus", "4");
    server("max_run_res.ncpus", "[o:PBS_ALL=4]");
    submit(1, "alice", "workq", "ncpus=5");
    assertTrue(cycle().isEmpty());
    ClassReason reason = state.reasons().take(9).reasons().get(0);
    assertTrue(reason.getSubject().startsWith("max_run_res.ncpus"), reason.getSubject());
    server();
    assertTrue(cycle().isEmpty());
    reason = state.reasons().take(9).reasons().get(0);
    assertEquals(
        "It needs ncpus 5; the limit resources_available.ncpus [o:PBS_ALL=4] of queue workq"
            + " leaves 4 of 4.",
        ReasonText.words(reason, ResourceTable.standard()));
  }

  @Test
  void aLimitOnAResourceThatIsDeletedHoldsNobodyBack() {
    state.facts().written(Records.licenses());
    state.facts().written(Records.object(ObjectKind.NODE, "n1", "resources_available.lic", "2"));
    queue("workq", "max_run_res.lic", "[o:PBS_ALL=1]");
    submit(1, "alice", "workq", "select=1:lic=1");
    submit(2, "alice", "workq", "select=1:lic=1");
    assertEquals(List.of(1L), cycle());
    assertTrue(comments().get(0).contains("limit"));
    state.facts().deleted(ObjectKind.RESOURCE, "lic");
    cycle();
    assertTrue(comments().stream().noneMatch(it -> it.contains("limit")));
  }

  private void submit(long number, String user, String queue, String request) {
    Job job = Records.job(number, queue, 0, request);
    job.setSpec(JobSpec.newBuilder(job.getSpec()).setOwner(user + "@h").setGroup("staff").build());
    state.facts().job(job);
  }

  private void queue(String name, String... limits) {
    List<String> pairs = new ArrayList<>(List.of("started", "True"));
    pairs.addAll(List.of(limits));
    state.facts().written(Records.object(ObjectKind.QUEUE, name, pairs.toArray(String[]::new)));
  }

  private void server(String... limits) {
    state.facts().written(Records.object(ObjectKind.SERVER, "server", limits));
  }

  private List<Long> cycle() {
    List<Long> started = new ArrayList<>();
    for (Start start : Cycle.run(state, NOW, Long.MAX_VALUE).starts()) {
      started.add(start.jobNumber());
      state
          .facts()
          .granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
    }
    return started;
  }

  private List<String> comments() {
    List<String> lines = new ArrayList<>();
    for (ClassReason reason : state.reasons().take(100).reasons()) {
      lines.add(ReasonText.pbsComment(reason, ResourceTable.standard()));
    }
    return lines;
  }
}
