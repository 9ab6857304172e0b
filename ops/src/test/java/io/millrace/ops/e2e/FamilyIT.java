package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.registry.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whoever has the password of a part can send what that part sends, and nothing else. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrfamily")
class FamilyIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final int WRONG_FAMILY = 15402;
  private static final int REPLY_PARTITION = Topics.REPLY_PARTITIONS - 1;

  private static final Map<CommandFamily, KafkaPrincipal> WRITERS =
      new EnumMap<>(
          Map.of(
              CommandFamily.USER, KafkaPrincipal.GATEWAY,
              CommandFamily.ENGINE, KafkaPrincipal.ENGINE,
              CommandFamily.EXECUTOR, KafkaPrincipal.EXECUTOR,
              CommandFamily.CAMPAIGN, KafkaPrincipal.CAMPAIGNS,
              CommandFamily.SITE, KafkaPrincipal.SITES,
              CommandFamily.SHARD, KafkaPrincipal.SERVER));

  private Site site;
  private Account user;
  private RecordCodec codec;
  private long made;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    codec = Codecs.open(site.client(KafkaPrincipal.ADMIN));
  }

  private KafkaProducer<byte[], byte[]> producer(KafkaPrincipal principal) throws Exception {
    Map<String, Object> config = new HashMap<>(site.client(principal));
    config.put("acks", "all");
    config.put("enable.idempotence", false);
    config.put("max.block.ms", 20_000);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A command of this type that claims to be root's, with the role that its type needs. */
  private SpecificRecord forged(Catalogue.CatalogueEntry type) {
    SpecificRecord command = plain(type.schema());
    byte[] id =
        ByteBuffer.allocate(16)
            .putLong(System.currentTimeMillis() << 16)
            .putLong(0x7e57_0000_0000L + made++)
            .array();
    Role role =
        switch (CommandFamily.of(type.family())) {
          case USER -> Role.MANAGER;
          case ENGINE -> Role.ENGINE;
          case EXECUTOR -> Role.EXECUTOR;
          case CAMPAIGN -> Role.CAMPAIGN;
          case SITE -> Role.SITE;
          case SHARD -> Role.SHARD;
        };
    command.put(
        0, new CommandMeta(new CommandId(id), "root", "root", "vm", role, REPLY_PARTITION, 0L));
    return command;
  }

  /** A record of this schema in which each field has the plainest value that it can have. */
  private static SpecificRecord plain(Schema schema) {
    Class<?> type = SpecificData.get().getClass(schema);
    SpecificRecord record = (SpecificRecord) SpecificData.newInstance(type, schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.schema()));
    }
    return record;
  }

  private static Object value(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> plain(schema);
      case STRING -> "x";
      case INT -> 0;
      case LONG -> 0L;
      case BOOLEAN -> false;
      case BYTES -> ByteBuffer.allocate(0);
      case FIXED -> SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
      case ENUM -> SpecificData.get().getClass(schema).getEnumConstants()[0];
      case ARRAY -> List.of();
      case MAP -> Map.of();
      case UNION -> value(schema.getTypes().get(0));
      case NULL, FLOAT, DOUBLE -> null;
    };
  }

  private static String id(SpecificRecord command) {
    return HexFormat.of().formatHex(Envelope.ofCommand(command).getId().bytes());
  }

  private Path log(String name) {
    return site.home().log(name + "-audit");
  }

  private String lines(String part) {
    try {
      StringBuilder all = new StringBuilder();
      for (Path file : List.of(Path.of(log(part) + ".1"), log(part))) {
        all.append(Files.exists(file) ? Files.readString(file) : "");
      }
      return all.toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noCommandOfAnotherFamilyIsDecidedAndEachIsInTheAuditLog() throws Exception {
    String settings = site.qmgr("print server");
    int jobs = site.jobs().size();
    Map<String, CommandFamily> sent = new HashMap<>();
    for (Map.Entry<CommandFamily, KafkaPrincipal> writer : WRITERS.entrySet()) {
      CommandFamily own = writer.getKey();
      try (KafkaProducer<byte[], byte[]> producer = producer(writer.getValue())) {
        for (Catalogue.CatalogueEntry type : others(own)) {
          SpecificRecord command = forged(type);
          producer.send(record(own.topic(), command)).get();
          sent.put(id(command), own);
        }
      }
    }
    assertTrue(sent.size() > 80, "so many were tried: " + sent.size());
    Site.await(SOON, "an entry for each", () -> missing(sent).isEmpty());
    // What was sent before this command was decided before it, or not at all.
    works();
    assertEquals(Set.of(), causes(sent.keySet()), "facts that a forged command caused");
    answers(sent);
    assertEquals(jobs + 1, site.jobs().size());
    assertEquals(settings, site.qmgr("print server"));
  }

  /** Types that a shard does not take from this family. */
  private static List<Catalogue.CatalogueEntry> others(CommandFamily own) {
    return Catalogue.get().commands().stream().filter(it -> !own.maySend(it.schema())).toList();
  }

  private ProducerRecord<byte[], byte[]> record(String topic, SpecificRecord command) {
    byte[] key = Envelope.ofCommand(command).getId().bytes();
    return new ProducerRecord<>(topic, Topics.ADMINISTRATIVE_SHARD, key, codec.encode(command));
  }

  private Set<String> missing(Map<String, CommandFamily> sent) {
    String all = lines("server");
    Set<String> missing = new HashSet<>();
    sent.forEach(
        (id, family) -> {
          boolean there =
              all.lines()
                  .anyMatch(
                      it ->
                          it.contains(" refused family=" + family.word() + " ")
                              && it.contains(" id=" + id + " "));
          if (!there) {
            missing.add(id);
          }
        });
    return missing;
  }

  private Set<String> causes(Set<String> ids) throws Exception {
    Set<String> causes = new HashSet<>();
    for (Object fact : TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.LEDGER)) {
      String cause =
          HexFormat.of().formatHex(Envelope.ofFact((SpecificRecord) fact).getCause().bytes());
      if (ids.contains(cause)) {
        causes.add(cause);
      }
    }
    return causes;
  }

  /** Gateways hear that they were refused; nobody else is answered. */
  private void answers(Map<String, CommandFamily> sent) throws Exception {
    List<String> answered = new ArrayList<>();
    for (Object output : TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.REPLIES)) {
      Reply reply = (Reply) output;
      String id = HexFormat.of().formatHex(reply.getId().bytes());
      if (sent.containsKey(id)) {
        assertEquals(CommandFamily.USER, sent.get(id), id);
        assertEquals(WRONG_FAMILY, reply.getCode());
        answered.add(id);
      }
    }
    assertEquals(others(CommandFamily.USER).size(), answered.size());
  }

  private void works() throws Exception {
    String id = site.run(user, site.folderOf(user, "work"), "qsub -- /bin/true").must().strip();
    site.awaitState(id, "F");
    assertEquals(0, site.job(id).path("Exit_status").asInt());
  }

  @Test
  void nobodyWritesTheTopicOfAnotherFamilyAndTheBrokerWritesDownWhoTried() throws Exception {
    for (Map.Entry<CommandFamily, KafkaPrincipal> writer : WRITERS.entrySet()) {
      for (CommandFamily other : CommandFamily.values()) {
        if (other != writer.getKey()) {
          refusedByTheBroker(writer.getValue(), other);
        }
      }
    }
  }

  /**
   * The broker looks at no record before it refuses: one type stands for all of them. Campaigns
   * have no type of their own, but may write some of the users'.
   */
  private void refusedByTheBroker(KafkaPrincipal principal, CommandFamily other) throws Exception {
    Catalogue.CatalogueEntry type =
        Catalogue.get().commands().stream()
            .filter(
                it ->
                    other == CommandFamily.CAMPAIGN
                        ? it.type() == SubmitJobs.class
                        : CommandFamily.of(it.family()) == other)
            .findFirst()
            .orElseThrow();
    // A producer of its own: one that was refused waits longer each time before it asks again.
    try (KafkaProducer<byte[], byte[]> producer = producer(principal)) {
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> producer.send(record(other.topic(), forged(type))).get(),
              principal + " writes " + other.topic());
      assertInstanceOf(TopicAuthorizationException.class, refused.getCause());
    }
    Site.await(SOON, principal + " and " + other, () -> denied(principal.text(), other.topic()));
  }

  private boolean denied(String principal, String topic) {
    Stream<String> all = lines("broker").lines();
    return all.anyMatch(
        it ->
            it.contains("User:" + principal + " is Denied")
                && it.contains("Topic:LITERAL:" + topic + " "));
  }
}
