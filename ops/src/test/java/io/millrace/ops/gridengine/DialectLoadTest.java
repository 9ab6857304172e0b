package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a live scheduler object does not obey of the files of a PBS scheduler. */
class DialectLoadTest {

  private static List<String> gaps(String config) {
    Map<String, String> texts = Map.of("sched_config", config);
    return Dialects.of(texts).orElseThrow().gaps(texts);
  }

  @Test
  void whatIsObeyedIsNotListed() {
    assertEquals(
        List.of(),
        gaps(
            "fair_share: true\nby_queue: true prime\nmax_job_check: 5\nbackfill_prime: true\n"
                + "update_comments: true\n"));
  }

  @Test
  void whatIsNotObeyedIsListedWithItsLine() {
    assertEquals(
        List.of(
            "sched_config:1: resources = ncpus, mem is not obeyed by a live scheduler",
            "sched_config:2: nodes have no order by last use"),
        gaps(
            "resources: \"ncpus, mem\"\nnode_sort_key: \"last_used_time LOW\"\n"
                + "server_dyn_res: \"lic !/bin/lic\"\n"));
  }
}
