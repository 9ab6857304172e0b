package io.millrace.server.streams;

import io.millrace.schemas.CommandFamily;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows the last offset of what was polled last from each topic of the inboxes, so that a shard
 * sees when its inbox is drained and asks for a commit just then.
 */
final class PolledBatches {
  /** Configuration key under which the consumer's interceptor finds the instance. */
  static final String CONFIG = "millrace.polled.batches";

  private final Map<TopicPartition, Long> lastOffsets = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> takenOffsets = new ConcurrentHashMap<>();

  /** The last offset of what was polled from a Kafka partition. */
  void polled(TopicPartition partition, long lastOffset) {
    lastOffsets.put(partition, lastOffset);
  }

  /**
   * Notes that a shard takes this record; true when it has taken all that was polled for it, of
   * whichever topic.
   */
  boolean takesLast(TopicPartition partition, long offset) {
    takenOffsets.put(partition, offset);
    for (CommandFamily family : CommandFamily.values()) {
      TopicPartition part = new TopicPartition(family.topic(), partition.partition());
      Long last = lastOffsets.get(part);
      if (last != null && takenOffsets.getOrDefault(part, -1L) < last) {
        return false;
      }
    }
    return true;
  }

  /**
   * Forgets a shard that another process gets: when it is back, what was polled for it before and
   * taken elsewhere must not be waited for.
   */
  void forget(int shard) {
    lastOffsets.keySet().removeIf(part -> part.partition() == shard);
    takenOffsets.keySet().removeIf(part -> part.partition() == shard);
  }

  /** Interceptor that notes each poll of the consumer. */
  public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {
    private PolledBatches batches;

    @Override
    public void configure(Map<String, ?> configs) {
      batches = (PolledBatches) configs.get(CONFIG);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> polled = records.records(partition);
        batches.polled(partition, polled.get(polled.size() - 1).offset());
      }
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
  }
}
