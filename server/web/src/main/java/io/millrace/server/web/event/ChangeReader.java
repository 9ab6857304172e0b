package io.millrace.server.web.event;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the topics of changes from given positions on. For one thread. */
final class ChangeReader implements AutoCloseable {

  private static final int FETCH_BYTES = 1 << 20;
  private static final int RECORDS = 200;

  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Map<TopicPartition, Integer> places = new HashMap<>();
  private final List<ChangeText.ChangedObjectKind> kinds = new ArrayList<>();
  private final ChangeText text;

  /**
   * @param text what is told of a record
   */
  ChangeReader(Consumer<byte[], byte[]> consumer, ChangeText text) {
    this.consumer = consumer;
    this.text = text;
    this.partitions = new ArrayList<>();
    for (ChangeText.ChangedObjectKind kind : ChangeText.ChangedObjectKind.values()) {
      List<PartitionInfo> all = consumer.partitionsFor(kind.topic());
      for (int i = 0; i < all.size(); i++) {
        TopicPartition partition = new TopicPartition(kind.topic(), i);
        places.put(partition, partitions.size());
        partitions.add(partition);
        kinds.add(kind);
      }
    }
    consumer.assign(partitions);
  }

  /** A consumer of committed records that holds little. */
  static Consumer<byte[], byte[]> consumer(Map<String, Object> kafka) {
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES / 4);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Positions behind all that is committed now. */
  Positions end() {
    consumer.seekToEnd(partitions);
    return positions();
  }

  /** Goes to these positions; one that is cut off already begins where the topic does. */
  void seek(Positions from) {
    for (int i = 0; i < partitions.size(); i++) {
      consumer.seek(partitions.get(i), from.next(i));
    }
  }

  /**
   * Passes over all that there is now of kinds that are not wanted: of campaigns it may be much.
   */
  void passUnless(Predicate<ChangeText.ChangedObjectKind> wanted) {
    List<TopicPartition> unwanted = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      if (!wanted.test(kinds.get(places.get(partition)))) {
        unwanted.add(partition);
      }
    }
    if (!unwanted.isEmpty()) {
      consumer.seekToEnd(unwanted);
    }
  }

  int partitions() {
    return partitions.size();
  }

  /** What comes next of each partition, markers of transactions passed. */
  Positions positions() {
    Positions positions = new Positions(partitions.size());
    for (int i = 0; i < partitions.size(); i++) {
      positions.advance(i, consumer.position(partitions.get(i)));
    }
    return positions;
  }

  /** The next changes; none when there are none in this time. */
  List<Change> poll(Duration time) {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(time);
    List<Change> changes = new ArrayList<>(records.count());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      int place = places.get(new TopicPartition(record.topic(), record.partition()));
      ChangeText.ChangedObjectKind kind = kinds.get(place);
      String key = new String(record.key(), StandardCharsets.UTF_8);
      text.of(kind, key, record.value())
          .ifPresent(it -> changes.add(new Change(place, record.offset(), kind.word(), it)));
    }
    return changes;
  }

  @Override
  public void close() {
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
  }
}
