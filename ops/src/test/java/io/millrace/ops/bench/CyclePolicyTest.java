package io.millrace.ops.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cluster of {@code bench cycle} under a policy of a site. */
class CyclePolicyTest {

  private static CyclePolicy site(String config, String group) {
    Map<String, String> files = Map.of("sched_config", config, "resource_group", group);
    return CyclePolicy.of(
        SimulatedPolicy.of(
            "site",
            List.of(
                new Attribute("policy", AttributeTable.SCHED_CONFIG),
                new Attribute(AttributeTable.SCHED_CONFIG, StoredPolicy.join(files, "UTC")))));
  }

  @Test
  void jobsAreOfThoseWhoHaveShares() {
    assertEquals(
        List.of("ann", "bob", "cat"),
        site("fair_share: true\n", "g 9 root 50\nann 10 g 70\nbob 11 g 30\ncat 12 root 20\n")
            .owners());
    assertEquals(List.of("u"), site("by_queue: true\n", "").owners());
  }

  @Test
  void theFilesSayWhetherThereArePromises() {
    CyclePolicy policy = site("by_queue: true\nstrict_ordering: false\n", "ann 10 root 1\n");
    for (boolean strict : new boolean[] {true, false}) {
      String text =
          policy.of(strict, 7).stream()
              .filter(it -> it.getName().equals(AttributeTable.SCHED_CONFIG))
              .map(Attribute::getValue)
              .findAny()
              .orElseThrow();
      StoredPolicy read = StoredPolicy.read(text);
      assertEquals(List.of(), read.problems());
      assertTrue(read.folder().config().flag("by_queue"));
      assertTrue(text.contains("strict_ordering: " + (strict ? "True" : "False")));
    }
  }

  @Test
  void itsCycleMakesPromisesInTheOrderOfTheShares() {
    String config = "fair_share: true\nby_queue: true\njob_sort_key: \"ncpus HIGH\"\n";
    CyclePolicy policy = site(config, "g 9 root 50\nann 10 g 70\nbob 11 g 30\ncat 12 root 20\n");
    FullCluster cluster = new FullCluster(20, 300, 150, policy);
    assertEquals(100, cluster.promises());
    assertTrue(cluster.everything() > 0);
    assertTrue(cluster.oneEnd(1) > 0);
    assertEquals(100, cluster.promises());
    assertTrue(cluster.fade(10) > 0);
  }

  @Test
  void whatHasABenchOfItsOwnIsRefused() {
    SimulatedPolicy cell = SimulatedPolicy.named("gridengine").orElseThrow();
    assertEquals(
        "gridengine has a bench of its own: gridengine or origin2000",
        assertThrows(IllegalArgumentException.class, () -> CyclePolicy.of(cell)).getMessage());
  }
}
