package io.millrace.ops.e2e;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.HostName;
import io.millrace.schemas.HostileRecords;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.common.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes to a topic, as a principal that may write there, what it would never write. */
final class FuzzedTopics {

  /** Topics beside the inboxes, and who may write them. */
  private static final Map<String, KafkaPrincipal> OUTPUTS = new LinkedHashMap<>();

  static {
    OUTPUTS.put(Topics.HEARTBEATS, KafkaPrincipal.EXECUTOR);
    OUTPUTS.put(Topics.REPLIES, KafkaPrincipal.SERVER);
    OUTPUTS.put(Topics.DISPATCH, KafkaPrincipal.SERVER);
    OUTPUTS.put(Topics.CLUSTER, KafkaPrincipal.SERVER);
    OUTPUTS.put(Topics.DEAD_LETTERS, KafkaPrincipal.SERVER);
  }

  private static final Map<CommandFamily, List<Role>> ROLES =
      Map.of(
          CommandFamily.USER, List.of(Role.USER, Role.OPERATOR, Role.MANAGER),
          CommandFamily.ENGINE, List.of(Role.ENGINE),
          CommandFamily.EXECUTOR, List.of(Role.EXECUTOR),
          CommandFamily.SITE, List.of(Role.SITE),
          CommandFamily.SHARD, List.of(Role.SHARD));

  /**
   * By these a shard tells another one, or an executor, what it has decided. It is believed: what
   * they say of the cluster, of job numbers, of where jobs live and of who serves a host would be
   * so.
   */
  private static final Set<String> BELIEVED =
      Set.of(
          "ApplyChange",
          "GrantBlock",
          "NoteWhereabouts",
          "OfferNode",
          "OfferJob",
          "HostServed",
          "ShardOwner");

  private final Site site;
  private final RecordCodec codec;
  private final SplittableRandom random;
  private final HostileRecords hostile;
  private final byte[] host = HostName.untilDot().getBytes(StandardCharsets.UTF_8);

  FuzzedTopics(Site site, RecordCodec codec, SplittableRandom random, HostileRecords hostile)
      throws IOException {
    this.site = site;
    this.codec = codec;
    this.random = random;
    this.hostile = hostile;
  }

  /** The topics that parts write, but for the ledger and the tables. */
  static List<String> all() {
    List<String> all = new ArrayList<>();
    for (CommandFamily family : CommandFamily.values()) {
      all.add(family.topic());
    }
    all.addAll(OUTPUTS.keySet());
    return all;
  }

  private static KafkaPrincipal writer(String topic) {
    return CommandFamily.ofTopic(topic)
        .map(
            family ->
                switch (family) {
                  case USER -> KafkaPrincipal.GATEWAY;
                  case ENGINE -> KafkaPrincipal.ENGINE;
                  case EXECUTOR -> KafkaPrincipal.EXECUTOR;
                  case CAMPAIGN -> KafkaPrincipal.CAMPAIGNS;
                  case SITE -> KafkaPrincipal.SITES;
                  case SHARD -> KafkaPrincipal.SERVER;
                })
        .orElseGet(() -> OUTPUTS.get(topic));
  }

  /** So many values that are no records. */
  void undecodable(String topic, int count) throws Exception {
    write(topic, count, this::garbage);
  }

  /** So many records that make no sense. */
  void decodable(String topic, int count) throws Exception {
    // Where all would be believed, or nobody reads, those that belong elsewhere.
    boolean any = Set.of(Topics.CLUSTER, Topics.DEAD_LETTERS).contains(topic);
    List<Catalogue.CatalogueEntry> types =
        Catalogue.get().entries().stream()
            .filter(it -> any || belongs(it, topic))
            .filter(it -> !BELIEVED.contains(it.simpleName()))
            .toList();
    write(topic, count, () -> codec.encode(record(types.get(random.nextInt(types.size())))));
  }

  private static boolean belongs(Catalogue.CatalogueEntry type, String topic) {
    return CommandFamily.ofTopic(topic)
        .map(family -> family.maySend(type.schema()))
        .orElse(type.topic().equals(topic));
  }

  private SpecificRecord record(Catalogue.CatalogueEntry type) {
    if (type.family().isEmpty()) {
      return hostile.record(type.schema());
    }
    List<Role> roles = ROLES.get(CommandFamily.of(type.family()));
    Role role = roles.get(random.nextInt(roles.size()));
    return hostile.command(type.schema(), role, System.currentTimeMillis());
  }

  private byte[] garbage() {
    while (true) {
      byte[] value = perhapsGarbage();
      try {
        codec.decode(value);
      } catch (UndecodableRecord e) {
        return value;
      }
    }
  }

  private byte[] perhapsGarbage() {
    int kind = random.nextInt(10);
    if (kind == 0) {
      return null;
    }
    if (kind < 4) {
      byte[] bytes = new byte[random.nextInt(kind == 1 ? 5_000 : 40)];
      random.nextBytes(bytes);
      if (bytes.length > 3 && kind == 3) {
        Arrays.fill(bytes, 0, 4, (byte) 0); // a schema that may be there
      }
      return bytes;
    }
    List<Catalogue.CatalogueEntry> types = List.copyOf(Catalogue.get().entries());
    byte[] bytes = codec.encode(hostile.record(types.get(random.nextInt(types.size())).schema()));
    if (kind < 7) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    }
    for (int hits = random.nextInt(1, 5); hits > 0 && bytes.length > 5; hits--) {
      bytes[random.nextInt(5, Math.min(bytes.length, 200))] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private void write(String topic, int count, Supplier<byte[]> values) throws Exception {
    Map<String, Object> config = new HashMap<>(site.client(writer(topic)));
    config.put("acks", "1");
    config.put("enable.idempotence", false);
    config.put("max.request.size", Topics.MESSAGE_BYTES_MAX);
    config.put("buffer.memory", 64L << 20);
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      int partitions = producer.partitionsFor(topic).size();
      while (taken.get() < count) {
        for (int i = taken.get(); i < count; i++) {
          byte[] key = new byte[random.nextInt(20)];
          random.nextBytes(key);
          producer.send(
              new ProducerRecord<>(
                  topic, random.nextInt(partitions), key(topic, key), values.get()),
              (at, failure) -> (failure == null ? taken : refused).incrementAndGet());
        }
        producer.flush();
        if (refused.get() > count) {
          throw new AssertionError(topic + " takes nothing of " + writer(topic));
        }
      }
    }
  }

  /** Executors look at orders for their host only; a compacted topic takes nothing without one. */
  private byte[] key(String topic, byte[] drawn) {
    if (drawn.length < 4 && !topic.equals(Topics.CLUSTER)) {
      return null;
    }
    return topic.equals(Topics.DISPATCH) && drawn.length < 15 ? host : drawn;
  }
}
