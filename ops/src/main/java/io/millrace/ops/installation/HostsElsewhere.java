package io.millrace.ops.installation;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.state.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Hosts that executors of other homes of the cluster serve. Two homes under one host name would
 * take the host from each other whenever nothing runs there, and nobody would see why.
 */
final class HostsElsewhere {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Who may read the nodes; a home that uses another cluster need not have both files. */
  private static final List<KafkaPrincipal> READERS =
      List.of(KafkaPrincipal.MONITOR, KafkaPrincipal.ADMIN);

  /** The file of a spool with the name of its executor. */
  private static final String EXECUTOR = "executor";

  private HostsElsewhere() {}

  /**
   * Checks that no other home serves a host.
   *
   * @param hosts of the executors that are to be started
   * @throws IOException in one line, when one does, or the cluster does not say it
   */
  static void refuse(Home home, List<String> hosts, Console console) throws IOException {
    if (hosts.isEmpty()) {
      return;
    }
    Optional<Path> client =
        READERS.stream().map(home::client).filter(Files::isReadable).findFirst();
    if (client.isEmpty()) {
      console.say("not known here whether another home serves " + String.join(", ", hosts));
      return;
    }
    Map<String, Node> nodes;
    try {
      nodes = read(client.get());
    } catch (KafkaException | RegistryException e) {
      throw new IOException("which hosts are served is not known: " + OneLine.of(e), e);
    }
    for (String host : hosts) {
      Path file = home.spool(host).resolve(EXECUTOR);
      String own = Files.exists(file) ? Files.readString(file).strip() : "";
      Optional<String> refusal = refusal(nodes.values(), host, own);
      if (refusal.isPresent()) {
        throw new IOException(refusal.get());
      }
    }
  }

  /**
   * Why an executor must not be started.
   *
   * @param own name of the executor of this home's spool; empty for a new one
   */
  static Optional<String> refusal(Iterable<Node> nodes, String host, String own) {
    for (Node node : nodes) {
      boolean another = !node.getExecutor().isEmpty() && !node.getExecutor().equals(own);
      if (node.getHost().equals(host) && node.getUp() && another) {
        return Optional.of(
            "host "
                + host
                + " is served by executor "
                + node.getExecutor()
                + " of another home: end that one and wait until the node is down, or, if its"
                + " spool is gone for good, --take-over");
      }
    }
    return Optional.empty();
  }

  /** The nodes of all shards by name, as far as they were written. */
  private static Map<String, Node> read(Path client) throws IOException, RegistryException {
    Map<String, Object> config = new HashMap<>(ClientSettings.read(client));
    config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
    config.put("isolation.level", "read_committed");
    config.put("allow.auto.create.topics", false);
    RecordCodec codec = Codecs.open(config);
    config.remove(Codecs.REGISTRY_URL);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer, codec);
    }
  }

  static Map<String, Node> read(Consumer<byte[], byte[]> consumer, RecordCodec codec) {
    String topic = Topics.table("nodes");
    Map<String, Node> nodes = new HashMap<>();
    if (!consumer.listTopics(PATIENCE).containsKey(topic)) {
      return nodes; // no server has ever run
    }
    List<TopicPartition> places =
        consumer.partitionsFor(topic, PATIENCE).stream()
            .map(it -> new TopicPartition(topic, it.partition()))
            .toList();
    consumer.assign(places);
    consumer.seekToBeginning(places);
    Map<TopicPartition, Long> ends = consumer.endOffsets(places, PATIENCE);
    long heardNanos = System.nanoTime();
    long before = -1;
    while (true) {
      long left = 0;
      for (TopicPartition place : places) {
        left += Math.max(0, ends.get(place) - consumer.position(place, PATIENCE));
      }
      if (left == 0) {
        return nodes;
      }
      if (left != before) {
        before = left;
        heardNanos = System.nanoTime();
      } else if (System.nanoTime() - heardNanos > PATIENCE.toNanos()) {
        throw new TimeoutException("the broker says nothing more");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        follow(nodes, record, codec);
      }
    }
  }

  /** A node that went to another shard is told there; what is no node is passed over. */
  private static void follow(
      Map<String, Node> nodes, ConsumerRecord<byte[], byte[]> record, RecordCodec codec) {
    String key = record.partition() + "/" + new String(record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      nodes.remove(key);
      return;
    }
    try {
      if (codec.decode(record.value()) instanceof Node node) {
        nodes.put(key, node);
      }
    } catch (UndecodableRecord e) {
      nodes.remove(key);
    }
  }
}
