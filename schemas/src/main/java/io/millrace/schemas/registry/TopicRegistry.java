package io.millrace.schemas.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The registry in the compacted topic {@code schemas}: key "subject/version" or "compatibility",
 * value JSON. It is loaded once, and read further only when an unknown id is looked up.
 *
 * <p>One process registers at a time (the initialisation of a cluster); the broker's access rules
 * see to it that no other may write.
 */
public final class TopicRegistry implements SchemaRegistry {

  private static final TopicPartition PARTITION = new TopicPartition(Topics.SCHEMAS, 0);
  private static final String COMPATIBILITY_KEY = "compatibility";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Ids are assigned one by one, so one this far above the highest known id cannot exist. */
  private static final int AHEAD_MAX = 10_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final MemoryRegistry table = new MemoryRegistry();
  private final Map<String, Object> clientConfig;
  private final KafkaConsumer<String, String> consumer;

  private TopicRegistry(Map<String, Object> clientConfig) {
    this.clientConfig = Map.copyOf(clientConfig);
    Map<String, Object> config = new HashMap<>(clientConfig);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
  }

  /**
   * Loads the topic.
   *
   * @param clientConfig bootstrap.servers and security settings of a principal that may read it
   * @throws RegistryException when the topic cannot be read within 30 seconds
   */
  public static TopicRegistry open(Map<String, Object> clientConfig) throws RegistryException {
    TopicRegistry registry = new TopicRegistry(clientConfig);
    try {
      registry.consumer.assign(List.of(PARTITION));
      registry.consumer.seekToBeginning(List.of(PARTITION));
      registry.readToEnd();
      return registry;
    } catch (RegistryException e) {
      registry.close();
      throw e;
    }
  }

  private synchronized void readToEnd() throws RegistryException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      long end = consumer.endOffsets(List.of(PARTITION), PATIENCE).get(PARTITION);
      while (consumer.position(PARTITION, PATIENCE) < end) {
        if (System.nanoTime() > deadline) {
          throw new RegistryException(
              0, "topic " + Topics.SCHEMAS + " was not read within " + PATIENCE.toSeconds() + " s");
        }
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
          apply(record);
        }
      }
    } catch (KafkaException e) {
      throw new RegistryException(
          "topic " + Topics.SCHEMAS + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void apply(ConsumerRecord<String, String> record) throws RegistryException {
    try {
      if (record.key() == null || record.value() == null) {
        return;
      }
      JsonNode value = JSON.readTree(record.value());
      if (record.key().equals(COMPATIBILITY_KEY)) {
        table.setCompatibility(CompatibilityLevel.valueOf(value.path("compatibility").asText()));
      } else {
        table.put(
            RegisteredSchema.of(
                value.path("subject").asText(),
                value.path("version").asInt(),
                value.path("id").asInt(),
                SchemaText.parse(value.path("schema").asText())));
      }
    } catch (JsonProcessingException | SchemaParseException | IllegalArgumentException e) {
      throw new RegistryException(
          "topic " + Topics.SCHEMAS + ", offset " + record.offset() + ": " + e.getMessage(), e);
    }
  }

  private void writeAll(Map<String, Map<String, ?>> values) throws RegistryException {
    if (values.isEmpty()) {
      return;
    }
    Map<String, Object> config = new HashMap<>(clientConfig);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Map.Entry<String, Map<String, ?>> entry : values.entrySet()) {
        String value = JSON.writeValueAsString(entry.getValue());
        sent.add(producer.send(new ProducerRecord<>(Topics.SCHEMAS, 0, entry.getKey(), value)));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts and numbers is no JSON", e);
    } catch (ExecutionException | KafkaException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      throw new RegistryException(
          "topic " + Topics.SCHEMAS + " cannot be written: " + cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegistryException("interrupted while writing topic " + Topics.SCHEMAS, e);
    }
  }

  @Override
  public synchronized int register(String subject, Schema schema) throws RegistryException {
    return registerAll(Map.of(subject, schema)).get(subject);
  }

  /**
   * Registers many schemas with one producer.
   *
   * @return the id of each subject's schema
   * @throws RegistryException when one of them is refused (then none is written), or when the topic
   *     cannot be written: this object then differs from the topic and has to be opened again
   */
  public synchronized Map<String, Integer> registerAll(Map<String, Schema> schemas)
      throws RegistryException {
    readToEnd();
    Map<String, Integer> ids = new HashMap<>();
    Map<String, Map<String, ?>> fresh = new LinkedHashMap<>();
    for (Map.Entry<String, Schema> entry : schemas.entrySet()) {
      RegisteredSchema next = table.next(entry.getKey(), entry.getValue());
      if (table.version(next.subject(), next.version()).isEmpty()) {
        table.put(next);
        fresh.put(next.subject() + "/" + next.version(), json(next));
      }
      ids.put(entry.getKey(), next.id());
    }
    writeAll(fresh);
    return ids;
  }

  private static Map<String, ?> json(RegisteredSchema registered) {
    return Map.of(
        "subject", registered.subject(),
        "version", registered.version(),
        "id", registered.id(),
        "schema", SchemaText.of(registered.schema()));
  }

  @Override
  public synchronized Optional<Schema> byId(int id) throws RegistryException {
    Optional<Schema> known = table.byId(id);
    if (known.isPresent() || id < 1 || id > table.highestId() + AHEAD_MAX) {
      return known;
    }
    readToEnd();
    return table.byId(id);
  }

  @Override
  public Optional<RegisteredSchema> lookUp(String subject, Schema schema) {
    return table.lookUp(subject, schema);
  }

  @Override
  public List<String> subjects() {
    return table.subjects();
  }

  @Override
  public List<Integer> versions(String subject) {
    return table.versions(subject);
  }

  @Override
  public Optional<RegisteredSchema> version(String subject, int version) {
    return table.version(subject, version);
  }

  @Override
  public boolean compatible(String subject, Schema schema) {
    return table.compatible(subject, schema);
  }

  @Override
  public CompatibilityLevel compatibility() {
    return table.compatibility();
  }

  @Override
  public synchronized void setCompatibility(CompatibilityLevel level) throws RegistryException {
    readToEnd();
    if (table.compatibility() != level) {
      writeAll(Map.of(COMPATIBILITY_KEY, Map.of("compatibility", level.name())));
      table.setCompatibility(level);
    }
  }

  @Override
  public void refresh() throws RegistryException {
    readToEnd();
  }

  @Override
  public synchronized void close() {
    consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
  }
}
