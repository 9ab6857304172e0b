package io.millrace.server.streams;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.server.streams.store.LateStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.Stores;

/** Inbox, processor, stores and sinks of the shards. */
final class ShardTopology {
  private static final String SOURCE = "inbox";
  private static final String SHARD = "shard";

  /** Topics that a shard writes; the sinks have their names. */
  private static final List<String> WRITTEN =
      List.of(
          Topics.LEDGER,
          Topics.REPLIES,
          Topics.CAMPAIGN_ANSWERS,
          Topics.DISPATCH,
          Topics.MESSAGES,
          Topics.CLUSTER,
          Topics.DEAD_LETTERS);

  private ShardTopology() {}

  static Topology of(ShardEnvironment environment) {
    Topology topology = new Topology();
    // One source of all topics: the same partition of each belongs to one shard.
    topology.addSource(
        SOURCE,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        Stream.of(CommandFamily.values()).map(CommandFamily::topic).toArray(String[]::new));
    topology.addProcessor(SHARD, () -> new ShardProcessor(environment), SOURCE);
    for (String store : StoreLayout.stores()) {
      topology.addStateStore(
          Stores.keyValueStoreBuilder(
                  LateStore.supplier(store), Serdes.String(), Serdes.ByteArray())
              .withLoggingEnabled(StoreLayout.CHANGELOG)
              .withCachingDisabled(),
          SHARD);
    }
    topology.addStateStore(WriteBehind.builder(), SHARD);
    Serializer<Target> keys = (topic, target) -> target.key();
    StreamPartitioner<Target, byte[]> partitions =
        (topic, target, value, count) -> Optional.of(Set.of(target.partition() % count));
    for (String topic : WRITTEN) {
      topology.addSink(topic, topic, keys, new ByteArraySerializer(), partitions, SHARD);
    }
    return topology;
  }
}
