package io.millrace.ops.bench.outside;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topic of observed jobs as any consumer reads it, and when what came there. */
final class ObservedTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Set<String> WAITS = Set.of("Q", "H");
  private static final String ENDING = "E";
  private static final String OVER = "F";

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final RecordCodec codec;
  private final Map<String, Long> shown = new HashMap<>();
  private final Map<String, Long> begun = new HashMap<>();
  private final Map<String, Long> ending = new HashMap<>();
  private final Map<String, Long> over = new HashMap<>();

  ObservedTopic(Map<String, Object> monitor) throws IOException {
    try {
      this.codec = Codecs.open(monitor);
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
    Map<String, Object> config = new HashMap<>(monitor);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    this.consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partition = List.of(new TopicPartition(Topics.OUTSIDE_JOBS, 0));
    consumer.assign(partition);
    consumer.seekToBeginning(partition);
  }

  /** Reads on until something holds; false when it does not in time. */
  boolean await(BooleanSupplier holds, long patienceMs) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        take(record);
      }
    }
    return true;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws IOException {
    if (record.value() == null) {
      return;
    }
    try {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      long now = System.currentTimeMillis();
      shown.putIfAbsent(key, now);
      if (codec.decode(record.value()) instanceof ObservedJob job) {
        String state = job.getState();
        if (!WAITS.contains(state)) {
          begun.putIfAbsent(key, now);
        }
        if (state.equals(ENDING) || state.equals(OVER)) {
          ending.putIfAbsent(key, now);
        }
        if (state.equals(OVER)) {
          over.putIfAbsent(key, now);
        }
      }
    } catch (UndecodableRecord e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** When each job was first there, by cluster and number with a slash between. */
  Map<String, Long> shown() {
    return shown;
  }

  /** When each was first there as one that has begun. */
  Map<String, Long> begun() {
    return begun;
  }

  /** When each was first there as one that ends, or is over. */
  Map<String, Long> ending() {
    return ending;
  }

  /** When each was first there as one that is over. */
  Map<String, Long> over() {
    return over;
  }

  /** How many jobs of a cluster were there. */
  long count(String cluster) {
    return shown.keySet().stream().filter(it -> it.startsWith(cluster + "/")).count();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
