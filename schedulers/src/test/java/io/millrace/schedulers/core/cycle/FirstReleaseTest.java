package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.search.ShortageEnds;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a shortage ends, of jobs that hold no promise. */
class FirstReleaseTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, 100);

  @BeforeEach
  void cluster() {
    state.facts().written(Records.licenses());
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("q"));
    node("n1");
    node("n2");
  }

  @Test
  void theEndAfterWhichEnoughIsFree() {
    run(1, "select=1:ncpus=3:vnode=n1,walltime=100");
    run(2, "select=1:ncpus=3:vnode=n1,walltime=200");
    run(3, "select=1:ncpus=7:vnode=n2,walltime=300");
    assertEquals("TOTAL_INSUFFICIENT 5 3 +100", reason(4, "ncpus=5"));
    assertEquals("TOTAL_INSUFFICIENT 6 3 +200", reason(5, "ncpus=6"));
    assertEquals("NODE_INSUFFICIENT 3 2 +100", reason(8, "ncpus=3"));
    assertEquals("TOTAL_INSUFFICIENT 12 3 +300", reason(6, "select=4:ncpus=3"));
    state.facts().gone(5);
    state.facts().gone(4);
    state.facts().gone(2);
    Cycle.run(state, NOW, Long.MAX_VALUE);
    state.reasons().take(10);
    assertEquals("TOTAL_INSUFFICIENT 7 3 +300", reason(7, "ncpus=7"));
  }

  @Test
  void licencesOfAllNodesTogether() {
    run(1, "select=3:ncpus=1:lic=1,walltime=60");
    assertEquals("TOTAL_INSUFFICIENT 2 1 +60", reason(2, "select=2:lic=1"));
  }

  @Test
  void nobodyKnowsWhenARunWithoutWalltimeEnds() {
    run(1, "select=1:ncpus=8:vnode=n1");
    run(2, "select=1:ncpus=2:vnode=n2");
    run(3, "select=1:ncpus=4:vnode=n2,walltime=50");
    assertEquals("TOTAL_INSUFFICIENT 4 2 +50", reason(4, "ncpus=4"));
    assertEquals("TOTAL_INSUFFICIENT 7 2 -1", reason(5, "ncpus=7,walltime=1"));
  }

  @Test
  void certainNodes() {
    run(1, "select=1:ncpus=8:vnode=n1,walltime=300");
    run(2, "select=1:ncpus=1:vnode=n2,walltime=50");
    assertEquals("NODE_INSUFFICIENT 5 0 +300", reason(3, "select=1:ncpus=5:vnode=n1"));
    assertEquals("TOTAL_INSUFFICIENT 8 7 +50", reason(4, "select=1:ncpus=8,place=excl"));
  }

  @Test
  void severalResourcesOfANode() {
    run(1, "select=1:ncpus=1:mem=900gb:vnode=n1,walltime=100");
    run(2, "select=1:ncpus=7:vnode=n2,walltime=200");
    run(3, "select=1:ncpus=1:vnode=n1,walltime=50");
    String reason = "NODE_INSUFFICIENT " + (500L << 30) + " " + (124L << 30) + " +100";
    assertEquals(reason, reason(4, "ncpus=4,mem=500gb"));
  }

  @Test
  void placesForAllChunks() {
    run(1, "select=1:ncpus=5:vnode=n1,walltime=100");
    run(2, "select=1:ncpus=5:vnode=n2,walltime=200");
    assertEquals("PLACE_INSUFFICIENT 2 1 +100", reason(3, "select=2:ncpus=3,place=pack"));
  }

  @Test
  void noMoreThanSomeSearchesBetweenTwoChanges() {
    run(1, "select=2:ncpus=8,walltime=100");
    for (int i = 0; i < ShortageEnds.SEARCHES_MAX; i++) {
      assertEquals(
          "TOTAL_INSUFFICIENT 1 0 +100",
          reason(10 + i, "select=1:ncpus=1:vnode=n" + (1 + i % 2) + ",walltime=" + (1 + i)));
    }
    assertEquals("TOTAL_INSUFFICIENT 1 0 -1", reason(100, "select=1:ncpus=1:vnode=n1"));
  }

  @Test
  void limits() {
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.QUEUE,
                "q",
                "started",
                "True",
                "max_run",
                "[o:PBS_ALL=3]",
                "max_run_res.ncpus",
                "[o:PBS_ALL=12]"));
    run(1, "select=1:ncpus=1,walltime=100");
    run(2, "select=1:ncpus=6,walltime=200");
    assertEquals("RESOURCE_LIMIT 6 5 +100", reason(3, "select=2:ncpus=3"));
    assertEquals("RESOURCE_LIMIT 7 5 +200", reason(4, "select=1:ncpus=7"));
    assertEquals("RESOURCE_LIMIT 13 5 -1", reason(5, "select=2:ncpus=5+1:ncpus=3"));
    run(6, "ncpus=1,walltime=50");
    assertEquals("RUN_LIMIT 1 0 +50", reason(7, "ncpus=1"));
  }

  @Test
  void anEndThatDidNotComeIsToldAnew() {
    run(1, "select=2:ncpus=8,walltime=100");
    assertEquals("TOTAL_INSUFFICIENT 4 0 +100", reason(2, "ncpus=4"));
    state.inputs().retryAll();
    Cycle.run(state, NOW.plusSeconds(99), Long.MAX_VALUE);
    assertFalse(state.reasons().hasChanges());
    state.inputs().retryAll();
    Cycle.run(state, NOW.plusSeconds(200), Long.MAX_VALUE);
    ClassReason anew = state.reasons().take(10).reasons().get(0);
    assertTrue(anew.getUntilMs() > NOW.plusSeconds(200).toEpochMilli());
  }

  private void node(String name) {
    state.facts().written(Records.object(ObjectKind.NODE, name, "resources_available.lic", "2"));
    state.facts().node(Records.node(name, "h" + name, 8, 1L << 40));
  }

  private void run(long number, String request) {
    state.facts().job(Records.job(number, "q", 0, request));
    Start start = Cycle.run(state, NOW, Long.MAX_VALUE).starts().get(0);
    state.facts().granted(number, Records.allocation(start.shares()), NOW.toEpochMilli());
  }

  /** Code, needed, free and seconds from now of the reason that a job gets. */
  private String reason(long number, String request) {
    state.facts().job(Records.job(number, "q", 0, request));
    Cycle.run(state, NOW, Long.MAX_VALUE);
    ClassReason reason = state.reasons().take(10).reasons().get(0);
    long until = reason.getUntilMs() < 0 ? -1 : (reason.getUntilMs() - NOW.toEpochMilli()) / 1000;
    return reason.getCode()
        + " "
        + reason.getNeeded()
        + " "
        + reason.getFree()
        + " "
        + (until < 0 ? "-1" : "+" + until);
  }
}
