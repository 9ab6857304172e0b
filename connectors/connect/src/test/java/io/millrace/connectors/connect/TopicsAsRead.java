package io.millrace.connectors.connect;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What is on the topics of jobs and hosts, as a reader sees it. */
final class TopicsAsRead {

  private final Map<String, Object> client;
  private final RecordCodec codec;

  TopicsAsRead(Map<String, Object> client, RecordCodec codec) {
    this.client = client;
    this.codec = codec;
  }

  /** All records of both topics that are of a cluster, in their order. */
  Map<String, List<Optional<SpecificRecord>>> all(String cluster) throws UndecodableRecord {
    Map<String, List<Optional<SpecificRecord>>> told = new TreeMap<>();
    Map<String, Object> config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        while (consumer.position(partition) < end) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
            String name = new String(record.key(), StandardCharsets.UTF_8);
            if (name.startsWith(cluster + "/") || name.endsWith("@" + cluster)) {
              told.computeIfAbsent(name, it -> new ArrayList<>()).add(decoded(record.value()));
            }
          }
        }
      }
    }
    return told;
  }

  private Optional<SpecificRecord> decoded(byte[] value) throws UndecodableRecord {
    return value == null ? Optional.empty() : Optional.of(codec.decode(value));
  }

  private Optional<SpecificRecord> last(String cluster, String key) throws UndecodableRecord {
    List<Optional<SpecificRecord>> all = all(cluster).getOrDefault(key, List.of());
    return all.isEmpty() ? Optional.empty() : all.get(all.size() - 1);
  }

  /** What is shown of a job now; empty when it is not. */
  Optional<ObservedJob> job(String cluster, long number) throws UndecodableRecord {
    return last(cluster, cluster + "/" + number).map(ObservedJob.class::cast);
  }

  /** What is shown of a host now; empty when it is not. */
  Optional<ObservedNode> node(String cluster, String host) throws UndecodableRecord {
    return last(cluster, host + "@" + cluster).map(ObservedNode.class::cast);
  }
}
