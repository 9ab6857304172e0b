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
import java.util.function.BooleanSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads one partition of a topic from its beginning, committed records only. */
final class LedgerReader implements AutoCloseable {

  /** A record's key as text and its value; null for a tombstone. */
  record KeyedRecord(String key, SpecificRecord value) {}

  /** Offset and value of a record. */
  record RecordAtOffset(long offset, SpecificRecord value) {}

  private static final Duration SCAN = Duration.ofMillis(200);
  private static final int ROUNDS = 5;

  private final TopicPartition partition;
  private final RecordCodec codec;
  private final Consumer<byte[], byte[]> consumer;

  LedgerReader(Map<String, Object> kafka, String topic, int shard, RecordCodec codec) {
    this(consumer(kafka), new TopicPartition(topic, shard), codec);
  }

  LedgerReader(Consumer<byte[], byte[]> consumer, TopicPartition partition, RecordCodec codec) {
    this.consumer = consumer;
    this.partition = partition;
    this.codec = codec;
    consumer.assign(Set.of(partition));
    consumer.seekToBeginning(Set.of(partition));
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> kafka) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  RecordCodec codec() {
    return codec;
  }

  /** Offset behind the last committed record. */
  long end() {
    return consumer.endOffsets(Set.of(partition)).get(partition);
  }

  /** Offset of the next record. */
  long position() {
    return consumer.position(partition);
  }

  void seek(long offset) {
    consumer.seek(partition, offset);
  }

  /**
   * Reads up to the end and decodes only the records with these keys; the position is then behind
   * them.
   */
  void find(Set<String> keys, java.util.function.Consumer<RecordAtOffset> each) {
    long end = end();
    while (position() < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(SCAN)) {
        if (keys.contains(key(record)) && record.value() != null) {
          each.accept(new RecordAtOffset(record.offset(), decode(record)));
        }
      }
    }
  }

  /**
   * Reads on to about the end. What is written meanwhile is less each time, but beside somebody who
   * writes all the time there is always something, so that it is left after some times.
   */
  void catchUp(BooleanSupplier stopped, java.util.function.Consumer<KeyedRecord> each) {
    for (int round = 0; round < ROUNDS && !stopped.getAsBoolean(); round++) {
      long end = end();
      if (position() >= end) {
        return;
      }
      while (position() < end && !stopped.getAsBoolean()) {
        poll(SCAN).forEach(each);
      }
    }
  }

  /**
   * Next records in order; none when none comes in time.
   *
   * @throws IllegalStateException when a record cannot be decoded: going on would diverge
   */
  List<KeyedRecord> poll(Duration wait) {
    List<KeyedRecord> entries = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
      entries.add(new KeyedRecord(key(record), record.value() == null ? null : decode(record)));
    }
    return entries;
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  private SpecificRecord decode(ConsumerRecord<byte[], byte[]> record) {
    try {
      return codec.decode(record.value());
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(
          partition + " offset " + record.offset() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
