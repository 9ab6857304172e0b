package io.millrace.ops.e2e;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.registry.Codecs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic from its beginning to its present end, as an independent consumer reads it. */
final class TopicContents {

  private static final Duration POLL = Duration.ofMillis(200);

  private TopicContents() {}

  /** Committed records without decoding, in order within each Kafka partition. */
  static List<ConsumerRecord<byte[], byte[]>> records(Map<String, Object> client, String topic) {
    Map<String, Object> config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (PartitionInfo info : consumer.partitionsFor(topic)) {
        partitions.add(new TopicPartition(topic, info.partition()));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(POLL).forEach(all::add);
      }
    }
    return all;
  }

  /** Committed records, decoded. */
  static List<Object> read(Map<String, Object> client, String topic) throws Exception {
    RecordCodec codec = Codecs.open(client);
    List<Object> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records(client, topic)) {
      if (record.value() != null) {
        all.add(codec.decode(record.value()));
      }
    }
    return all;
  }
}
