package io.millrace.ops.faults.evidence;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A ledger as any consumer reads it: all of it from the beginning, committed records only, with the
 * rights of the principal "monitor".
 */
public final class LedgerConsumer implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final RecordCodec codec;
  private final List<TopicPartition> shards;

  /** The ledger of all shards. */
  public static LedgerConsumer ofShards(Map<String, Object> monitor, int shardCount)
      throws IOException {
    return new LedgerConsumer(monitor, Topics.LEDGER, shardCount);
  }

  /** The ledger of the campaign server. */
  public static LedgerConsumer ofCampaigns(Map<String, Object> monitor) throws IOException {
    return new LedgerConsumer(monitor, Topics.CAMPAIGN_LEDGER, 1);
  }

  private LedgerConsumer(Map<String, Object> monitor, String topic, int shardCount)
      throws IOException {
    try {
      this.codec = Codecs.open(monitor);
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
    Map<String, Object> config = new HashMap<>(monitor);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    this.consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.shards = new ArrayList<>();
    for (int shard = 0; shard < shardCount; shard++) {
      shards.add(new TopicPartition(topic, shard));
    }
    consumer.assign(shards);
    consumer.seekToBeginning(shards);
  }

  /** The next facts, in order within each shard; empty when none arrives in time. */
  public List<LedgerEntry> next() {
    List<LedgerEntry> entries = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      try {
        entries.add(
            new LedgerEntry(record.partition(), record.offset(), codec.decode(record.value())));
      } catch (UndecodableRecord e) {
        throw new IllegalStateException(
            "the ledger has a record that nobody can read: shard "
                + record.partition()
                + ", offset "
                + record.offset()
                + ": "
                + e.getMessage(),
            e);
      }
    }
    return entries;
  }

  /** All facts committed before the call. */
  public List<LedgerEntry> all() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(shards);
    List<LedgerEntry> all = new ArrayList<>();
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      all.addAll(next());
    }
    return all;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
