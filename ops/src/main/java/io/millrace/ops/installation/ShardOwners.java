package io.millrace.ops.installation;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.OneLine;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Which servers own the shards of a cluster, as they announce it. */
public final class ShardOwners {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** With what the address of a Unix socket begins. */
  private static final String LOCAL = "unix:";

  private ShardOwners() {}

  /**
   * The addresses of servers of other homes that own shards.
   *
   * @throws IOException in one line when the cluster does not answer
   */
  static SortedSet<String> elsewhere(Home home) throws IOException {
    String own = Files.exists(home.ready("server")) ? Files.readString(home.ready("server")) : "";
    try {
      return others(read(home).values(), own.strip());
    } catch (KafkaException | RegistryException e) {
      throw new IOException("who owns the shards is not known: " + OneLine.of(e), e);
    }
  }

  /** The addresses of those owners that are not this one and can be reached. */
  static SortedSet<String> others(Iterable<ShardOwner> owners, String own) {
    SortedSet<String> others = new TreeSet<>();
    for (ShardOwner owner : owners) {
      String address = owner.getQueryAddress();
      if (!address.equals(own) && !others.contains(address) && answers(address)) {
        others.add(address);
      }
    }
    return others;
  }

  /** Servers answer at Unix sockets of their host. */
  private static boolean answers(String address) {
    if (!address.startsWith(LOCAL)) {
      return false;
    }
    Path file = Path.of(address.substring(LOCAL.length()));
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return socket.isConnected();
    } catch (IOException e) {
      return false; // its server is gone, and nobody has taken its shards since
    }
  }

  /**
   * Owner of each shard; shards that never had one are missing. A dead owner stays until the next
   * one.
   */
  public static SortedMap<Integer, ShardOwner> read(Home home)
      throws IOException, RegistryException {
    Map<String, Object> config =
        new HashMap<>(ClientSettings.read(home.client(KafkaPrincipal.GATEWAY)));
    config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
    config.put("isolation.level", "read_committed");
    RecordCodec codec = Codecs.open(config);
    config.remove(Codecs.REGISTRY_URL);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer, codec, PATIENCE);
    }
  }

  /**
   * @param patience longest time without a record
   * @throws TimeoutException when no record arrived in that time, so that the broker may have ended
   */
  static SortedMap<Integer, ShardOwner> read(
      Consumer<byte[], byte[]> consumer, RecordCodec codec, Duration patience) {
    SortedMap<Integer, ShardOwner> owners = new TreeMap<>();
    TopicPartition partition = new TopicPartition(Topics.CLUSTER, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition), patience).get(partition);
    long before = -1;
    long since = System.nanoTime();
    for (long at; (at = consumer.position(partition, patience)) < end; ) {
      if (at > before) {
        before = at;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > patience.toNanos()) {
        throw new TimeoutException("the broker says nothing more");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        owner(record, codec).ifPresent(owner -> owners.put(owner.getShard(), owner));
      }
    }
    return owners;
  }

  /** The owner that a record names; what is no record names none, as for the gateways. */
  private static Optional<ShardOwner> owner(
      ConsumerRecord<byte[], byte[]> record, RecordCodec codec) {
    try {
      return record.value() != null && codec.decode(record.value()) instanceof ShardOwner owner
          ? Optional.of(owner)
          : Optional.empty();
    } catch (UndecodableRecord e) {
      return Optional.empty();
    }
  }
}
