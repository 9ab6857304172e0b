package io.millrace.connectors.forward.observe;

import io.millrace.schemas.RecordCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics outside-jobs and outside-nodes, as who shows a cluster writes them. */
public final class PictureTopics implements AutoCloseable {

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
