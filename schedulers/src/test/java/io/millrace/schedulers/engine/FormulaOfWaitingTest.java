package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A formula that reads for how long jobs have waited, in the order of cycles. */
class FormulaOfWaitingTest {

  private static final String SITE = "sched_config";

  private final Followers followers = Followers.of("default", 0, 1_000);

  private static FactMeta at(long seconds) {
    return new FactMeta(1L, seconds * 1000, new CommandId(new byte[16]), "");
  }

  private void scheduler(String policy, String formula, String threshold) {
    List<String> pairs =
        new ArrayList<>(
            List.of("scheduling", "True", "policy", policy, "job_sort_formula", formula));
    if (!threshold.isEmpty()) {
      pairs.addAll(List.of("job_sort_formula_threshold", threshold));
    }
    if (policy.equals(SITE)) {
      String text = StoredPolicy.join(Map.of(SITE, "by_queue: false\n"), "UTC");
      pairs.addAll(List.of(SITE, text, "backfill_depth", "1"));
    }
    followers.written(
        Records.object(ObjectKind.SCHEDULER, "default", pairs.toArray(String[]::new)));
  }

  private void cluster(String policy, String formula, String threshold) {
    followers.written(
        Records.object(
            ObjectKind.SERVER,
            "server",
            EligibleTime.COUNTED_SINCE,
            "0",
            EligibleTime.ENABLE,
            "True"));
    followers.written(Records.queue("workq"));
    scheduler(policy, formula, threshold);
    followers.written(Records.object(ObjectKind.NODE, "n1"));
    followers.each(state -> state.node(Records.node("n1", "h1", 2, 1L << 30)));
  }

  private void queued(long number, String request, int priority, long seconds) {
    Job job =
        Records.job(number, number, Records.spec("workq", priority, Records.request(request)));
    followers.follow(new JobQueued(at(seconds), job, List.of()));
  }

  /** The jobs that start at a time. */
  private List<Long> starts(long seconds) {
    return Cycle.run(followers.core(), Instant.ofEpochSecond(seconds), Long.MAX_VALUE)
        .starts()
        .stream()
        .map(it -> it.jobNumber())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"easy", "priority", SITE})
  void whoHasWaitedForLongestComesFirst(String policy) {
    cluster(policy, "eligible_time", "");
    queued(1, "ncpus=2", 0, 10);
    queued(2, "ncpus=2", 0, 20);
    queued(3, "ncpus=2", 0, 30);
    followers.follow(new JobHeld(at(31), "1.host", "u", "u", ""));
    followers.follow(new JobReleased(at(60), "1.host", "n", "u"));
    assertEquals(
        List.of(2L), starts(65), "jobs alike, of which the first has waited for 26 s only");
  }

  @ParameterizedTest
  @ValueSource(longs = {105, 120})
  void theOrderChangesWithTimeAlone(long seconds) {
    cluster("easy", "eligible_time * job_priority", "");
    followers.each(state -> state.nodeDown("n1"));
    queued(1, "ncpus=2", 1, 0);
    queued(2, "ncpus=2", 10, 100);
    assertEquals(List.of(), starts(104));
    followers.each(state -> state.nodeUp("n1", "h1", Map.of("ncpus", 2L, "mem", 1L << 30)));
    // Ten times the seconds since 100 are more than all seconds from 112 on.
    assertEquals(List.of(seconds < 111 ? 1L : 2L), starts(seconds));
  }

  @Test
  void aThresholdIsPassedByWaiting() {
    cluster("easy", "eligible_time", "30");
    queued(1, "ncpus=1", 0, 10);
    assertEquals(List.of(), starts(40));
    assertEquals(List.of(1L), starts(41));
  }
}
