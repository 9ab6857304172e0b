package io.millrace.connectors.forward.reserve;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.state.Reservation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The present reservations of all shards, as their compacted topic has them. */
final class ReservationTopic implements AutoCloseable {

  private static final String TOPIC = Topics.table("reservations");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RecordCodec codec;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<ByteBuffer, Reservation> present = new HashMap<>();
  private Map<TopicPartition, Long> ends = Map.of();

  ReservationTopic(Map<String, Object> kafka, RecordCodec codec) {
    this.codec = codec;
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-reservations");
    this.consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Reads on; returns after this time at the latest.
   *
   * @return whether all is known that was there when it was opened; before that nobody may act
   */
  boolean read(Duration wait) throws IOException {
    try {
      if (ends.isEmpty()) {
        List<TopicPartition> all =
            consumer.partitionsFor(TOPIC, PATIENCE).stream()
                .map(it -> new TopicPartition(TOPIC, it.partition()))
                .toList();
        if (all.isEmpty()) {
          throw new IOException("topic " + TOPIC + " is not there yet");
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
        ends = consumer.endOffsets(all, PATIENCE);
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
        take(record);
      }
      for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
        if (consumer.position(end.getKey(), PATIENCE) < end.getValue()) {
          return false;
        }
      }
      return true;
    } catch (KafkaException e) {
      throw new IOException("topic " + TOPIC + ": " + e.getMessage(), e);
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws IOException {
    if (record.value() == null) {
      present.remove(ByteBuffer.wrap(record.key()));
      return;
    }
    try {
      if (codec.decode(record.value()) instanceof Reservation reservation) {
        present.put(ByteBuffer.wrap(record.key()), reservation);
      }
    } catch (UndecodableRecord e) {
      throw new IOException(TOPIC + " offset " + record.offset() + ": " + e.getMessage(), e);
    }
  }

  Collection<Reservation> present() {
    return present.values();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
