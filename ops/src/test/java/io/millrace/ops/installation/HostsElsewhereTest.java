package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.state.Node;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A second home does not take a host from another one unseen. */
class HostsElsewhereTest {

  private static Node node(String host, String executor, boolean up) {
    return Node.newBuilder()
        .setName("n-" + host)
        .setHost(host)
        .setExecutor(executor)
        .setUp(up)
        .setMeasured(Map.of())
        .setHoldings(List.of())
        .build();
  }

  @Test
  void aHostThatIsServedIsNotTaken() {
    List<Node> nodes = List.of(node("one", "abc", true), node("two", "def", false));
    String refusal = HostsElsewhere.refusal(nodes, "one", "").orElseThrow();
    assertTrue(refusal.startsWith("host one is served by executor abc of another home: "), refusal);
    assertTrue(HostsElsewhere.refusal(nodes, "one", "old").isPresent());
    assertEquals(Optional.empty(), HostsElsewhere.refusal(nodes, "one", "abc"), "its own");
    assertEquals(Optional.empty(), HostsElsewhere.refusal(nodes, "two", ""), "it is down");
    assertEquals(Optional.empty(), HostsElsewhere.refusal(nodes, "three", ""));
    assertEquals(
        Optional.empty(),
        HostsElsewhere.refusal(List.of(node("one", "", true)), "one", ""),
        "nobody serves it yet");
  }

  @Test
  void theLastStateOfEachNodeCounts() {
    WireCodec codec = WireCodec.local();
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    assertEquals(Map.of(), HostsElsewhere.read(consumer, codec), "no server has run yet");
    String topic = Topics.table("nodes");
    TopicPartition place = new TopicPartition(topic, 0);
    consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, null, null, null)));
    consumer.updateBeginningOffsets(Map.of(place, 0L));
    consumer.updateEndOffsets(Map.of(place, 3L));
    consumer.schedulePollTask(
        () -> {
          add(consumer, place, 0, "a", codec.encode(node("one", "abc", true)));
          add(consumer, place, 1, "b", codec.encode(node("two", "def", true)));
          add(consumer, place, 2, "a", null);
        });
    assertEquals(
        List.of(node("two", "def", true)),
        List.copyOf(HostsElsewhere.read(consumer, codec).values()));
  }

  private static void add(
      MockConsumer<byte[], byte[]> consumer,
      TopicPartition place,
      long offset,
      String key,
      byte[] value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            place.topic(), 0, offset, key.getBytes(StandardCharsets.UTF_8), value));
  }
}
