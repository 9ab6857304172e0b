package io.millrace.server.streams;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows the last offset of what was polled last from each Kafka partition, so that a shard sees
 * when its inbox is drained and asks for a commit just then.
 */
final class PolledBatches {
  /** Configuration key under which the consumer's interceptor finds the instance. */
  static final String CONFIG = "millrace.polled.batches";

  private final Map<Integer, Long> lastOffsets = new ConcurrentHashMap<>();

  /** The last offset of what was polled from a Kafka partition. */
  void polled(int partition, long lastOffset) {
    lastOffsets.put(partition, lastOffset);
  }

  boolean isLast(int partition, long offset) {
    Long last = lastOffsets.get(partition);
    return last == null || offset >= last;
  }

  /** Interceptor that notes each poll of the consumer. */
  public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {
    private PolledBatches batches;
    private String topic;

    @Override
    public void configure(Map<String, ?> configs) {
      batches = (PolledBatches) configs.get(CONFIG);
      topic = io.millrace.schemas.Topics.COMMANDS;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      for (TopicPartition partition : records.partitions()) {
        if (partition.topic().equals(topic)) {
          java.util.List<ConsumerRecord<byte[], byte[]>> polled = records.records(partition);
          batches.lastOffsets.put(partition.partition(), polled.get(polled.size() - 1).offset());
        }
      }
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
  }
}
