package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.ObjectKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a cycle is due under a sched_config, and what the next one looks at. */
class LiveCyclesTest {
  private static final long HOUR_MS = 3_600_000;

  private final LiveSiteFixture all =
      new LiveSiteFixture("Europe/Berlin", "2026-11-02T06:00:00Z", 4, "workq");

  private long submit(String user, int cpus) {
    return all.submit(user, "workq", "ncpus=" + cpus + ",walltime=1:00:00");
  }

  /** Half of the cluster is in use; the next job does not fit, and one behind it would. */
  private long blocked(String config) {
    all.file("sched_config", config).load();
    long runs = submit("ann", 2);
    assertEquals(List.of(runs), all.cycle(HOUR_MS));
    long large = submit("ann", 4);
    submit("ann", 1);
    assertEquals(List.of(), all.cycle(HOUR_MS));
    return large;
  }

  @Test
  void whoStoodBehindAJobThatIsGoneIsLookedAt() {
    long large = blocked("strict_fifo: true\n");
    assertFalse(all.state.workDue());
    all.waiting.remove(large);
    all.state.facts().gone(large);
    assertTrue(all.state.workDue(), "the first of the queue is another one");
    assertEquals(List.of(large + 1), all.cycle(HOUR_MS));
  }

  /** As in PBS: backfilling goes on where any queue promises starts of its own. */
  @Test
  void nobodyIsBarredWhereAQueuePromisesStarts() {
    all.written(Records.object(ObjectKind.SERVER, "server", "backfill_depth", "0"));
    long large = blocked("strict_ordering: true\n");
    assertEquals(List.of(), all.cycle(HOUR_MS), "nobody passes the large one");
    all.written(Records.object(ObjectKind.QUEUE, "own", "started", "True", "backfill_depth", "1"));
    assertEquals(List.of(large + 1), all.cycle(HOUR_MS));
  }

  @Test
  void aCycleThatMayLookAtNoMoreJobsIsNotDueAgainAtOnce() {
    long large = blocked("max_job_check: 1\n");
    assertFalse(all.state.workDue(), "the next one would look at the same job");
    submit("bob", 1);
    assertTrue(all.state.workDue());
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertFalse(all.state.workDue());
    all.waiting.remove(large);
    all.state.facts().gone(large);
    assertTrue(all.state.workDue());
    assertEquals(List.of(large + 1), all.cycle(HOUR_MS));
    assertEquals(List.of(large + 2), all.cycle(HOUR_MS), "one more at a time");
  }

  /** What somebody has used moves jobs, and no fact of a job tells so. */
  @Test
  void aCycleThatMayLookAtNoMoreJobsIsDueAgainWhenOthersMayStandFirst() {
    all.file("resource_group", "ann 10 root 10\nbob 11 root 10\n");
    long large = blocked("max_job_check: 1\nfair_share: true\n");
    long other = submit("bob", 1);
    assertEquals(List.of(), all.cycle(HOUR_MS), "equal shares and usages: in the order they came");
    assertFalse(all.state.workDue(all.nowMs));
    all.charge("ann", 100_000);
    all.nowMs += 60_000;
    assertTrue(all.state.workDue(all.nowMs));
    assertEquals(List.of(other), all.cycle(HOUR_MS), "ahead of " + large);
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertFalse(all.state.workDue(all.nowMs), "not again at once");
  }

  /** What the order by one number knows of classes is not kept while several keys decide. */
  @Test
  void anotherPolicyTakesOverManyUsersJobs() {
    all.file("sched_config", "fair_share: true\nunknown_shares: 10\n").load();
    long first = submit("u0", 4);
    for (int i = 1; i < 100; i++) {
      submit("u" + i, 4);
    }
    assertEquals(1, all.cycle(HOUR_MS).size());
    all.end();
    all.written(Records.scheduler());
    List<Long> started = all.cycle(HOUR_MS);
    assertEquals(1, started.size());
    assertTrue(started.get(0) <= first + 1, "in the order of submission: " + started);
  }
}
