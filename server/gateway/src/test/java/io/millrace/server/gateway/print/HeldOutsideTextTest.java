package io.millrace.server.gateway.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A node of a cluster outside on which others run, too. */
class HeldOutsideTextTest {

  private static final ResourceTable TABLE = ResourceTable.standard();

  private static final ClusterObject NODE =
      ClusterObject.newBuilder()
          .setKind(ObjectKind.NODE)
          .setName("vm@c1")
          .setVersion(1)
          .setAttributes(List.of())
          .build();

  private static Node node(long others) {
    Holding own =
        Holding.newBuilder()
            .setNumber(7)
            .setJobId("7.vm")
            .setRun(1)
            .setChunks(1)
            .setAmounts(Map.of("ncpus", 1L))
            .build();
    return Node.newBuilder()
        .setName("vm@c1")
        .setHost("vm@c1")
        .setUp(true)
        .setStateSinceMs(1)
        .setMeasured(Map.of("ncpus", 4L, "load.held.ncpus", others, "load.away", 0L))
        .setHoldings(List.of(own))
        .build();
  }

  private static Map<String, String> shown(Node node) {
    Map<String, String> shown = new TreeMap<>();
    for (ShownAttribute each : new ObjectText(TABLE).node(NODE, node, null)) {
      shown.put(each.toString(), "");
    }
    return shown;
  }

  private static void has(Node node, String word, String value) {
    boolean found =
        shown(node).keySet().stream().anyMatch(it -> it.contains(word) && it.contains(value));
    assertEquals(true, found, () -> word + " " + value + " in " + shown(node));
  }

  @Test
  void whatOthersHoldIsAssigned() {
    Node some = node(2);
    has(some, "resources_available", "4");
    has(some, "resources_assigned", "3");
    has(some, "comment", "other jobs of its cluster hold ncpus=2 there");
    has(some, "state", "free");
    has(node(3), "state", "job-busy");
    has(node(0), "resources_assigned", "1");
    assertEquals(1, NodeAmounts.free(some, NODE, TABLE).get("ncpus"));
    assertEquals(3, NodeAmounts.freeOfOurs(some, NODE, TABLE).get("ncpus"));
  }
}
