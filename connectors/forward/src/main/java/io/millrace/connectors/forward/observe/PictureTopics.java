package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics outside-jobs and outside-nodes, as who shows a cluster reads and writes them. */
public final class PictureTopics implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PictureTopics.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RecordCodec codec;
  private final KafkaProducer<byte[], byte[]> producer;

  public PictureTopics(Map<String, Object> kafka, RecordCodec codec) {
    this.codec = codec;
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace-observed");
    this.producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * The picture of a cluster as the topics have it now.
   *
   * @param accounted whether ends of its jobs leave records
   */
  public static ClusterPicture before(
      ClusterFile file, boolean accounted, Map<String, Object> kafka, RecordCodec codec)
      throws IOException {
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-observed-before");
    Map<String, SpecificRecord> present = new LinkedHashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition), PATIENCE).get(partition);
        while (consumer.position(partition, PATIENCE) < end) {
          consumer.poll(PATIENCE).forEach(it -> take(it, codec, present));
        }
      }
    } catch (KafkaException e) {
      throw new IOException("topics of observed clusters: " + e.getMessage(), e);
    }
    ClusterPicture picture = new ClusterPicture(file.name(), file.kind().name(), accounted);
    present.values().forEach(picture::remember);
    return picture;
  }

  private static void take(
      ConsumerRecord<byte[], byte[]> record,
      RecordCodec codec,
      Map<String, SpecificRecord> present) {
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

  /**
   * Shows records; returns when the broker has them.
   *
   * @throws IOException when it may have some of them only; they may be shown again
   */
  public void show(List<Shown> news) throws IOException, InterruptedException {
    Future<RecordMetadata> last = null;
    try {
      for (Shown each : news) {
        last = producer.send(record(each, codec));
      }
      producer.flush();
      if (last != null) {
        last.get();
      }
    } catch (ExecutionException | KafkaException e) {
      throw new IOException("topics of observed clusters: " + e.getMessage(), e);
    }
  }

  /** The record as the topic has it. */
  public static ProducerRecord<byte[], byte[]> record(Shown shown, RecordCodec codec) {
    byte[] name = shown.key().getBytes(StandardCharsets.UTF_8);
    byte[] value = shown.record().map(codec::encode).orElse(null);
    return new ProducerRecord<>(shown.topic(), 0, name, value);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}
