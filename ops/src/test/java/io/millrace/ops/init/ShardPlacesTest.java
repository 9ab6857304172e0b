package io.millrace.ops.init;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

/** What a shard writes to is where its ledger is. */
class ShardPlacesTest {

  private static TopicPartitionInfo partition(int number, int... brokers) {
    List<Node> nodes = new ArrayList<>();
    for (int broker : brokers) {
      nodes.add(new Node(broker, "b" + broker, 9092));
    }
    // The usual leader is away: another one leads for now.
    return new TopicPartitionInfo(number, nodes.get(1), nodes, nodes.subList(1, nodes.size()));
  }

  @Test
  void theUsualLeaderOfTheLedgerComesFirst() {
    TopicDescription ledger =
        new TopicDescription(
            Topics.LEDGER, false, List.of(partition(0, 2, 3, 1), partition(1, 1, 2, 3)));
    assertEquals(Map.of(0, List.of(2, 3, 1), 1, List.of(1, 2, 3)), ShardPlaces.places(ledger));
  }

  @Test
  void ordersAreWhereTheFirstShardIs() {
    Map<Integer, List<Integer>> places = Map.of(0, List.of(2, 3, 1), 1, List.of(1, 2, 3));
    for (TopicPlan plan : TopicPlan.of(2)) {
      Map<Integer, List<Integer>> copies = ShardPlaces.topic(plan, places).replicasAssignments();
      if (plan.ofShards()) {
        assertEquals(places, copies, plan.name());
      } else if (plan.name().equals(Topics.DISPATCH)) {
        assertEquals(Topics.DISPATCH_PARTITIONS, copies.size());
        assertEquals(Set.of(places.get(0)), Set.copyOf(copies.values()));
      } else {
        assertNull(copies, "the controller spreads " + plan.name());
      }
    }
  }

  @Test
  void inboxesAndTablesAreOfShardsAndOrdersAreNot() {
    List<String> names = PlannedTopics.ofShards();
    for (CommandFamily family : CommandFamily.values()) {
      assertTrue(names.contains(family.topic()), family.topic());
    }
    assertTrue(names.containsAll(List.of(Topics.LEDGER, Topics.DEAD_LETTERS)));
    assertTrue(names.containsAll(List.of(Topics.table("jobs"), Topics.table("shard"))));
    assertFalse(names.contains(Topics.DISPATCH), "its partitions are those of hosts");
    assertFalse(names.contains(Topics.REPLIES), "its partitions are those of gateways");
    for (TopicPlan plan : TopicPlan.of(3)) {
      assertTrue(!plan.ofShards() || plan.partitions() == 3, plan.name());
    }
  }
}
