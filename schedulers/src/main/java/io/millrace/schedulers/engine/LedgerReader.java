package io.millrace.schedulers.engine;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads one partition of a topic from its beginning, committed records only. */
final class LedgerReader implements AutoCloseable {

  /** A key as text and what it stands for; null for a tombstone. */
  record Entry(String key, SpecificRecord value) {}

  private final TopicPartition partition;
  private final RecordCodec codec;
  private final Consumer<byte[], byte[]> consumer;

  LedgerReader(Map<String, Object> kafka, String topic, int shard, RecordCodec codec) {
    this.partition = new TopicPartition(topic, shard);
    this.codec = codec;
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.assign(Set.of(partition));
    consumer.seekToBeginning(Set.of(partition));
  }

  /** Offset behind the last committed record. */
  long end() {
    return consumer.endOffsets(Set.of(partition)).get(partition);
  }

  /** Offset of the next record. */
  long position() {
    return consumer.position(partition);
  }

  /**
   * Next records in order; none when none comes in time.
   *
   * @throws IllegalStateException when a record cannot be decoded: going on would diverge
   */
  List<Entry> poll(Duration wait) {
    List<Entry> entries = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
      String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
      try {
        SpecificRecord value = record.value() == null ? null : codec.decode(record.value());
        entries.add(new Entry(key, value));
      } catch (UndecodableRecord e) {
        throw new IllegalStateException(
            partition + " offset " + record.offset() + ": " + e.getMessage(), e);
      }
    }
    return entries;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
