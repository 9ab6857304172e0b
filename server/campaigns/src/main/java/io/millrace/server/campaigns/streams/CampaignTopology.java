package io.millrace.server.campaigns.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.server.campaigns.core.CampaignState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** What is read, by whom, and what is written. */
final class CampaignTopology {

  private static final String FOLLOWER = "follower";
  private static final String CAMPAIGNS = "campaigns";

  /** Of the changelogs; some times the most that a record may have. */
  private static final int SEGMENT_BYTES = 16 << 20;

  private CampaignTopology() {}

  /** The topics that a task of campaigns reads. */
  private static final List<String> INBOX =
      List.of(Topics.CAMPAIGN_COMMANDS, Topics.CAMPAIGN_REPORTS, Topics.CAMPAIGN_ANSWERS);

  /**
   * @param answers to commands of this process's door
   * @param wanted told which clusters are to be looked at
   * @param dropped told which tasks are closed
   */
  static Topology of(
      RecordCodec codec,
      CommittedAnswers answers,
      Consumer<CampaignState.Wanted> wanted,
      DroppedRecords dropped) {
    Topology topology = new Topology();
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    topology.addSource("ledger", bytes, bytes, Topics.LEDGER);
    IntConsumer followed = task -> dropped.closed(it -> reads(it, List.of(Topics.LEDGER), task));
    topology.addProcessor(FOLLOWER, () -> new JobFollower(codec, followed), "ledger");
    topology.addStateStore(store(JobFollower.STORE).withCachingDisabled(), FOLLOWER);
    sink(topology, Topics.CAMPAIGN_REPORTS, FOLLOWER);
    topology.addSource("inbox", bytes, bytes, INBOX.toArray(String[]::new));
    IntConsumer taken = task -> dropped.closed(it -> reads(it, INBOX, task));
    topology.addProcessor(
        CAMPAIGNS, () -> new CampaignProcessor(codec, answers, wanted, taken), "inbox");
    // Each fact changes the record of its campaign; one of them for each commit is enough.
    topology.addStateStore(store(CampaignProcessor.STORE).withCachingEnabled(), CAMPAIGNS);
    sink(topology, Topics.CAMPAIGN_JOBS, CAMPAIGNS);
    sink(topology, Topics.CAMPAIGN_LEDGER, CAMPAIGNS);
    sink(topology, Topics.CAMPAIGN_COMMANDS, CAMPAIGNS);
    return topology;
  }

  private static boolean reads(TopicPartition input, List<String> topics, int task) {
    return input.partition() == task && topics.contains(input.topic());
  }

  /**
   * In memory, since both are small: a task that waits has no record. At each start all of the
   * changelog is read, in which each change of a campaign is a record of its own until it is
   * compacted, and the last segment never is: so that one is small.
   */
  private static StoreBuilder<KeyValueStore<String, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(
            Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                String.valueOf(Topics.MESSAGE_BYTES_MAX),
                TopicConfig.SEGMENT_BYTES_CONFIG,
                String.valueOf(SEGMENT_BYTES)));
  }

  private static void sink(Topology topology, String topic, String processor) {
    Serializer<Outgoing> keys = (to, outgoing) -> outgoing.key();
    StreamPartitioner<Outgoing, byte[]> partitions =
        (to, outgoing, value, count) -> Optional.of(Set.of(outgoing.partition() % count));
    topology.addSink(topic, topic, keys, new ByteArraySerializer(), partitions, processor);
  }
}
