package io.millrace.server.accounting;

import io.millrace.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All partitions of the ledger, committed facts only, from where they were left. */
final class LedgerShards implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerShards.class);
  private static final int FETCH_BYTES = 2 << 20;
  private static final int FETCH_WAIT_MS = 500;
  private static final int RECORDS_MAX = 2000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> shards = new ArrayList<>();

  /**
   * @param from offset of the first fact that is wanted, by shard; empty for the beginning
   */
  LedgerShards(Map<String, Object> kafka, IntFunction<OptionalLong> from) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    // Accounts need not be quick: few large fetches cost the broker less than many small ones.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, FETCH_BYTES / 8);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES / 4);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_MAX);
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    for (PartitionInfo info : consumer.partitionsFor(Topics.LEDGER)) {
      shards.add(new TopicPartition(Topics.LEDGER, info.partition()));
    }
    consumer.assign(shards);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(shards);
    for (TopicPartition shard : shards) {
      consumer.seek(shard, from.apply(shard.partition()).orElse(begins.get(shard)));
    }
  }

  /** The next facts; none when none comes in time. */
  ConsumerRecords<byte[], byte[]> poll(Duration wait) {
    try {
      return consumer.poll(wait);
    } catch (OffsetOutOfRangeException e) {
      Map<TopicPartition, Long> begins =
          consumer.beginningOffsets(e.offsetOutOfRangePartitions().keySet());
      begins.forEach(
          (shard, begin) -> {
            LOG.warn(
                "{} begins at {} now; what stood there from {} on is missing in the accounts",
                shard,
                begin,
                e.offsetOutOfRangePartitions().get(shard));
            consumer.seek(shard, begin);
          });
      return ConsumerRecords.empty();
    }
  }

  /** Offset of the next fact of each shard. */
  Map<Integer, Long> positions() {
    Map<Integer, Long> positions = new HashMap<>();
    shards.forEach(it -> positions.put(it.partition(), consumer.position(it)));
    return positions;
  }

  /** Offset behind the last committed fact of each shard. */
  Map<Integer, Long> ends() {
    Map<Integer, Long> ends = new HashMap<>();
    consumer.endOffsets(shards).forEach((shard, end) -> ends.put(shard.partition(), end));
    return ends;
  }

  /** Ends a poll that waits; the only call for another thread. */
  void wake() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
