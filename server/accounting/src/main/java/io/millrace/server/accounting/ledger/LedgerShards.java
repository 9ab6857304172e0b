package io.millrace.server.accounting.ledger;

import io.millrace.schemas.Topics;
import io.millrace.schemas.health.BrokerContact;
import io.millrace.schemas.health.ClientMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger in Kafka. */
public final class LedgerShards implements Ledger {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerShards.class);

  private static final int FETCH_BYTES = 2 << 20;

  /** How long the broker holds a question that nothing answers yet; a fact answers it at once. */
  private static final int FETCH_WAIT_MS = 5_000;

  /** Without an answer for so long there is no broker: nothing is asked while facts are written. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final int RECORDS_MAX = 2000;

  private static final Duration SCAN = Duration.ofMillis(200);

  private final Map<String, Object> settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final BrokerContact contact = new BrokerContact(SILENCE);
  private final List<TopicPartition> shards = new ArrayList<>();

  /** Topics beside the ledger. */
  private final Set<TopicPartition> others = new HashSet<>();

  /** Each shard has to be sought before the first poll. */
  public LedgerShards(Map<String, Object> kafka) {
    this.settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES / 4);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_MAX);
    this.consumer = consumer();
    for (PartitionInfo info : consumer.partitionsFor(Topics.LEDGER)) {
      shards.add(place(info.partition()));
    }
    consumer.assign(shards);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static TopicPartition place(int shard) {
    return new TopicPartition(Topics.LEDGER, shard);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
    return consumer.poll(wait);
  }

  @Override
  public Map<Integer, Long> begins() {
    return byShard(consumer.beginningOffsets(shards));
  }

  @Override
  public Map<Integer, Long> ends() {
    return byShard(consumer.endOffsets(shards));
  }

  private static Map<Integer, Long> byShard(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> byShard = new HashMap<>();
    offsets.forEach((place, offset) -> byShard.put(place.partition(), offset));
    return byShard;
  }

  @Override
  public Map<Integer, Long> positions() {
    Map<Integer, Long> positions = new HashMap<>();
    shards.forEach(it -> positions.put(it.partition(), consumer.position(it)));
    return positions;
  }

  @Override
  public void with(String topic, OptionalLong next) {
    TopicPartition place = new TopicPartition(topic, 0);
    Map<TopicPartition, Long> sought = new HashMap<>();
    consumer.assignment().forEach(it -> sought.put(it, consumer.position(it)));
    others.add(place);
    List<TopicPartition> all = new ArrayList<>(shards);
    all.addAll(others);
    consumer.assign(all);
    sought.forEach(consumer::seek);
    long begin = consumer.beginningOffsets(List.of(place)).get(place);
    long end = consumer.endOffsets(List.of(place)).get(place);
    long from = from(next, begin, end);
    if (next.isPresent() && from != next.getAsLong()) {
      LOG.warn(
          "{} has {} to {}, and was read up to {}: goes on at {}",
          topic,
          begin,
          end,
          next.getAsLong(),
          from);
    }
    consumer.seek(place, from);
  }

  /**
   * Where a topic is read. One that ends before that was made anew or brought back, and what it has
   * was told in part: nobody is told years of it again.
   */
  static long from(OptionalLong next, long begin, long end) {
    return Math.max(begin, Math.min(next.orElse(end), end));
  }

  @Override
  public OptionalLong position(String topic) {
    TopicPartition place = new TopicPartition(topic, 0);
    return others.contains(place)
        ? OptionalLong.of(consumer.position(place))
        : OptionalLong.empty();
  }

  @Override
  public void seek(int shard, long offset) {
    consumer.seek(place(shard), offset);
  }

  @Override
  public void read(int shard, long from, PartitionReader reader) {
    TopicPartition place = place(shard);
    try (KafkaConsumer<byte[], byte[]> beside = consumer()) {
      beside.assign(List.of(place));
      beside.seek(place, from);
      long end = beside.endOffsets(List.of(place)).get(place);
      while (beside.position(place) < end) {
        for (ConsumerRecord<byte[], byte[]> fact : beside.poll(SCAN)) {
          if (!reader.take(fact)) {
            return;
          }
        }
      }
    }
  }

  @Override
  public Map<String, Double> lags() {
    return ClientMetrics.lags(consumer.metrics(), List.of(Topics.LEDGER));
  }

  @Override
  public boolean connected() {
    return contact.is(consumer.metrics());
  }

  @Override
  public void wake() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    // The answer to the last question is not waited for; there is no group to leave.
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
