package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the topics outside-jobs and outside-nodes whole. Another thread may close it meanwhile. */
public final class PictureReading implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PictureReading.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final RecordCodec codec;

  /** What reads now; guarded by this. */
  private Optional<Consumer<byte[], byte[]>> reading = Optional.empty();

  private boolean closed;

  public PictureReading(Map<String, Object> kafka, RecordCodec codec) {
    this(() -> consumer(kafka), codec);
  }

  PictureReading(Supplier<Consumer<byte[], byte[]>> consumers, RecordCodec codec) {
    this.consumers = consumers;
    this.codec = codec;
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> kafka) {
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-observed-before");
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * The picture of a cluster as the topics have it now.
   *
   * @param accounted whether ends of its jobs leave records
   * @throws IOException also when it is closed
   */
  public ClusterPicture before(ClusterFile file, boolean accounted) throws IOException {
    ClusterPicture picture = new ClusterPicture(file.name(), file.kind().name(), accounted);
    read().forEach(picture::remember);
    return picture;
  }

  /** The records of all clusters. */
  Collection<SpecificRecord> read() throws IOException {
    Map<String, SpecificRecord> present = new LinkedHashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      reads(Optional.of(consumer));
      try {
        for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
          read(consumer, new TopicPartition(topic, 0), present);
        }
      } finally {
        reads(Optional.empty());
      }
    } catch (KafkaException e) {
      throw new IOException("topics of observed clusters: " + e.getMessage(), e);
    }
    return present.values();
  }

  private synchronized void reads(Optional<Consumer<byte[], byte[]>> consumer) {
    reading = consumer;
    if (closed) {
      consumer.ifPresent(Consumer::wakeup);
    }
  }

  private void read(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      Map<String, SpecificRecord> present) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition), PATIENCE).get(partition);
    while (consumer.position(partition, PATIENCE) < end) {
      consumer.poll(PATIENCE).forEach(it -> take(it, present));
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record, Map<String, SpecificRecord> present) {
    if (record.key() == null) {
      return;
    }
    String name = record.topic() + "/" + new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      present.remove(name);
      return;
    }
    try {
      present.put(name, codec.decode(record.value()));
    } catch (UndecodableRecord e) {
      log.warn("{} offset {}: {}", record.topic(), record.offset(), e.getMessage());
    }
  }

  /** Whoever reads is told at once, also while no broker answers. */
  @Override
  public synchronized void close() {
    closed = true;
    reading.ifPresent(Consumer::wakeup);
  }
}
