package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.dialect.PolicyDialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a scheduler object is told of the files of a PBS scheduler. */
class DialectLoadTest {

  private static PolicyDialect.Loading loading(String config, String holidays) {
    Map<String, String> texts = Map.of("sched_config", config, "holidays", holidays);
    return Dialects.of(texts).orElseThrow().load(texts);
  }

  @Test
  void whatTheObjectObeysIsSetAndTheRestUnset() {
    PolicyDialect.Loading loading =
        loading(
            "by_queue: true\njob_sort_key: \"ncpus HIGH\"\njob_sort_key: \"walltime LOW\"\n"
                + "preemptive_sched: true\nfairshare_decay_time: 24:00:00\n",
            "");
    assertEquals(
        List.of(
            "set sched night by_queue = \"True\",round_robin = \"False\",strict_ordering ="
                + " \"False\",preemptive_sched = \"True\",job_sort_key = \"ncpus HIGH, walltime"
                + " LOW\",policy = \"priority\"",
            "unset sched night node_sort_key,backfill_depth"),
        DialectLoad.lines("night", loading.attributes()));
    assertEquals(List.of(), loading.left());
  }

  @Test
  void whatItDoesNotObeyIsListedWithItsLine() {
    List<String> left =
        loading(
                "fair_share: true\nby_queue: true prime\nmax_job_check: 5\n"
                    + "node_sort_key: \"last_used_time LOW\"\n",
                "YEAR 2026\n")
            .left();
    assertTrue(
        left.contains("sched_config:1: fair_share = true is not obeyed by a live scheduler"));
    assertTrue(left.stream().anyMatch(it -> it.startsWith("sched_config:2: by_queue has another")));
    assertTrue(
        left.contains("sched_config:3: max_job_check = 5 is not obeyed by a live scheduler"));
    assertTrue(left.contains("sched_config:4: nodes have no order by last use"));
    assertTrue(left.contains("holidays: a live scheduler knows no prime time"));
  }

  @Test
  void withoutQueuesAndKeysTheOrderIsAnother() {
    assertTrue(
        loading("by_queue: false\n", "").left().get(0).contains("in the order of submission"));
  }
}
