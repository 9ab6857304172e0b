package io.millrace.connectors.forward.table;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.broker.LastingAdmin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The present records of a public table of all shards, as its compacted topic has them.
 *
 * @param <T> of the table
 */
public final class TableTopic<T> implements AutoCloseable {

  /** A record, with the shard that it is of. */
  public record TableRow<T>(int shard, T record) {}

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final Class<T> type;
  private final RecordCodec codec;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LastingAdmin admin;
  private final Map<ByteBuffer, TableRow<T>> present = new HashMap<>();
  private Map<TopicPartition, Long> ends = Map.of();
  private boolean blank = true;
  private Uuid topicId = Uuid.ZERO_UUID;
  private String home = "";

  /**
   * @param kafka client settings
   * @param table its name
   * @param type of its records; others are passed over
   */
  public TableTopic(Map<String, Object> kafka, RecordCodec codec, String table, Class<T> type) {
    this.name = Topics.table(table);
    this.type = type;
    this.codec = codec;
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-" + table);
    this.admin = new LastingAdmin(kafka);
    this.consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Which topic it is, of those that had or will have its name. */
  private Uuid topicId() throws IOException, InterruptedException {
    try {
      return admin
          .ask(client -> client.describeTopics(List.of(name)).allTopicNames(), PATIENCE)
          .get(name)
          .topicId();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("topic " + name + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  /**
   * @throws IOException when the topic was made anew since it was opened: all has to be read again
   */
  public void checkSame() throws IOException, InterruptedException {
    if (!topicId().equals(topicId)) {
      throw new IOException("topic " + name + " was made anew");
    }
  }

  /** Whether the topic has had no record at all since it was opened. */
  public boolean isBlank() {
    return blank;
  }

  /** The id of the cluster of brokers, which homes have to themselves. */
  public String home() throws IOException, InterruptedException {
    try {
      if (home.isEmpty()) {
        home = admin.ask(client -> client.describeCluster().clusterId(), PATIENCE);
      }
      return home;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the brokers do not say their id: " + e.getMessage(), e);
    }
  }

  /**
   * Reads on; returns after this time at the latest.
   *
   * @return whether all is known that was there when it was opened; before that nobody may act
   */
  public boolean read(Duration wait) throws IOException, InterruptedException {
    try {
      if (ends.isEmpty()) {
        List<TopicPartition> all =
            consumer.partitionsFor(name, PATIENCE).stream()
                .map(it -> new TopicPartition(name, it.partition()))
                .toList();
        if (all.isEmpty()) {
          throw new IOException("topic " + name + " is not there yet");
        }
        topicId = topicId();
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
      throw new IOException("topic " + name + ": " + e.getMessage(), e);
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws IOException {
    blank = false;
    if (record.value() == null) {
      present.remove(ByteBuffer.wrap(record.key()));
      return;
    }
    try {
      Object decoded = codec.decode(record.value());
      if (type.isInstance(decoded)) {
        present.put(
            ByteBuffer.wrap(record.key()), new TableRow<>(record.partition(), type.cast(decoded)));
      }
    } catch (UndecodableRecord e) {
      throw new IOException(name + " offset " + record.offset() + ": " + e.getMessage(), e);
    }
  }

  /** As far as it was read. */
  public Collection<TableRow<T>> present() {
    return present.values();
  }

  @Override
  public void close() {
    admin.close();
    consumer.close();
  }
}
