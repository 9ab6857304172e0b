package io.millrace.server.gateway.link;

import io.millrace.schemas.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An idempotent producer that can tell whether a record may have left this process. */
final class CommandProducer {

  /** An idle gateway keeps the topic's metadata, so that the next command need not fetch it. */
  private static final int METADATA_IDLE_MS = 86_400_000;

  /** Longest time that a caller stands still while no broker is known. */
  private static final int BLOCK_MAX_MS = 400;

  private final Producer<byte[], byte[]> producer;
  private final Metric sentBytes;

  /** Told once how an attempt ended. */
  interface SendEndListener {
    /**
     * @param left false when no byte of it was sent: no broker will ever have it
     * @param failure null when a broker has it
     */
    void ended(boolean left, RecordMetadata record, Exception failure);
  }

  CommandProducer(LinkSettings settings) {
    Map<String, Object> properties = new HashMap<>(settings.kafka());
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MESSAGE_BYTES_MAX);
    int deliveryMs = Math.toIntExact(settings.timing().delivery().toMillis());
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(BLOCK_MAX_MS, deliveryMs));
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, deliveryMs);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMs);
    properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    properties.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MS);
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    sentBytes =
        producer.metrics().entrySet().stream()
            .filter(each -> each.getKey().name().equals("outgoing-byte-total"))
            .filter(each -> each.getKey().group().equals("producer-metrics"))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow();
  }

  /**
   * One attempt to write a command to the inbox of its shard.
   *
   * @return tells as long as the attempt lasts whether it may have left by now
   */
  BooleanSupplier send(int shard, byte[] key, byte[] value, SendEndListener ended) {
    Thread caller = Thread.currentThread();
    Object before = sentBytes.metricValue();
    Callback heard =
        (metadata, failure) -> {
          // A record that is refused while it is handed over never comes to the sending thread.
          boolean handedOver = Thread.currentThread() != caller;
          boolean left = handedOver && hasSentSince(before);
          ended.ended(left, metadata, failure);
        };
    try {
      producer.send(new ProducerRecord<>(Topics.COMMANDS, shard, key, value), heard);
    } catch (KafkaException | IllegalStateException e) {
      ended.ended(false, null, e);
    }
    return () -> hasSentSince(before);
  }

  private boolean hasSentSince(Object before) {
    return !sentBytes.metricValue().equals(before);
  }

  /** Gives up what has not left yet; all attempts have ended when it returns. */
  void abort() {
    producer.close(Duration.ZERO);
  }

  void close() {
    producer.close(Duration.ofSeconds(1));
  }
}
