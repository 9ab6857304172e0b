package io.millrace.server.gateway.link;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pictures of observed clusters. Most sites have none, so that their topics are followed from
 * the first question on.
 */
final class OutsideCache implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OutsideCache.class);
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(\\.\\d{1,18})?");

  private final RecordCodec codec;
  private final Map<String, SpecificRecord> jobs = new ConcurrentHashMap<>();
  private final Map<String, SpecificRecord> nodes = new ConcurrentHashMap<>();
  private final TopicReader jobReader;
  private final TopicReader nodeReader;
  private boolean begun;

  OutsideCache(Map<String, Object> kafka, RecordCodec codec) {
    this.codec = codec;
    this.jobReader = reader(kafka, Topics.OUTSIDE_JOBS, jobs);
    this.nodeReader = reader(kafka, Topics.OUTSIDE_NODES, nodes);
  }

  private TopicReader reader(
      Map<String, Object> kafka, String topic, Map<String, SpecificRecord> into) {
    return new TopicReader(
        "gateway-" + topic,
        () -> TopicReader.consumer(kafka),
        new TopicPartition(topic, 0),
        TopicReader.ReadStart.BEGINNING,
        record -> hear(record, into));
  }

  /** The picture of a cluster; empty when none of this name was ever observed. */
  Optional<OutsidePicture> find(String cluster) throws InterruptedException {
    synchronized (this) {
      if (!begun) {
        jobReader.start();
        nodeReader.start();
        begun = true;
      }
    }
    jobReader.awaitReady();
    nodeReader.awaitReady();
    if (!(nodes.get("@" + cluster) instanceof ObservedCluster found)) {
      return Optional.empty();
    }
    List<ObservedJob> its =
        jobs.values().stream()
            .filter(it -> it instanceof ObservedJob job && job.getCluster().equals(cluster))
            .map(ObservedJob.class::cast)
            .sorted(Comparator.comparing(OutsideCache::number))
            .toList();
    List<ObservedNode> hosts =
        nodes.values().stream()
            .filter(it -> it instanceof ObservedNode node && node.getCluster().equals(cluster))
            .map(ObservedNode.class::cast)
            .sorted(Comparator.comparing(ObservedNode::getName))
            .toList();
    return Optional.of(new OutsidePicture(found, its, hosts));
  }

  /** An id is a number, or a number and that of a task. */
  private static BigDecimal number(ObservedJob job) {
    if (!NUMBER.matcher(job.getId()).matches()) {
      return BigDecimal.ZERO;
    }
    String[] parts = job.getId().split("\\.", 2);
    String task =
        parts.length > 1 ? "0".repeat(Math.max(0, 18 - parts[1].length())) + parts[1] : "0";
    return new BigDecimal(parts[0] + "." + task);
  }

  private void hear(ConsumerRecord<byte[], byte[]> record, Map<String, SpecificRecord> into) {
    if (record.key() == null) {
      return;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      into.remove(key);
      return;
    }
    try {
      into.put(key, codec.decode(record.value()));
    } catch (UndecodableRecord e) {
      LOG.warn("{} offset {}: {}", record.topic(), record.offset(), e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    jobReader.close();
    nodeReader.close();
  }
}
