package io.millrace.ops.cluster;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What owners of shards say from a moment on. One consumer, which the brokers may leave without an
 * answer for a while.
 */
final class Announcements implements AutoCloseable {

  private static final TopicPartition PLACE = new TopicPartition(Topics.CLUSTER, 0);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> consumer;
  private final RecordCodec codec;

  Announcements(Consumer<byte[], byte[]> consumer, RecordCodec codec) {
    this.consumer = consumer;
    this.codec = codec;
    consumer.assign(List.of(PLACE));
  }

  static Announcements of(Home home) throws IOException, WordFailed {
    Map<String, Object> config =
        new HashMap<>(ClientSettings.read(home.client(KafkaPrincipal.GATEWAY)));
    config.put("isolation.level", "read_committed");
    try {
      RecordCodec codec = Codecs.open(config);
      config.remove(Codecs.REGISTRY_URL);
      return new Announcements(
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
          codec);
    } catch (KafkaException | RegistryException e) {
      throw new WordFailed("the brokers do not answer: " + OneLine.of(e));
    }
  }

  /**
   * Forgets what has been said until now.
   *
   * @throws KafkaException when the brokers do not say where that ends
   */
  void fromNowOn() {
    consumer.seekToEnd(List.of(PLACE));
    consumer.position(PLACE, PATIENCE); // asks now, not with the first look
  }

  /**
   * What has been said since the last look; nothing while the brokers do not answer.
   *
   * @param wait how long a first record is waited for
   */
  List<ShardOwner> look(Duration wait) {
    List<ShardOwner> said = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
      try {
        if (record.value() != null && codec.decode(record.value()) instanceof ShardOwner owner) {
          said.add(owner);
        }
      } catch (UndecodableRecord e) {
        continue; // what is no record names no owner, as for the gateways
      }
    }
    return said;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
