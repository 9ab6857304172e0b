package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.bench.site.BrokerRequests;
import io.millrace.ops.e2e.Beside;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.ClusterInit;
import io.millrace.ops.init.InitException;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.ConfluentRegistry;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.TopicRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker, initialised as {@code up} does it. */
@Beside
@Tag("night")
class EmbeddedBrokerIT {

  private static final int SHARDS = 3;

  @TempDir static Path folder;
  private static BrokerProcess broker;
  private static final List<String> SAID = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    broker = new BrokerProcess(folder, SHARDS);
    broker.start();
    initialise(SHARDS);
    Files.writeString(broker.home().initialised(), "by this test\n");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    broker.close();
  }

  private static void initialise(int shards) throws Exception {
    new ClusterInit(broker.client(KafkaPrincipal.ADMIN), shards, SAID::add).run(true);
  }

  @Test
  void initialisingAgainChangesNothingAndOtherShardsAreRefused() throws Exception {
    SAID.clear();
    initialise(SHARDS);
    assertEquals(List.of(), SAID);
    assertEquals(
        "the cluster was initialised with 3 shards, which is fixed: --shards 5 is refused",
        assertThrows(InitException.class, () -> initialise(5)).getMessage());
  }

  @Test
  void theInboxIsStampedByTheBrokerAndTheLedgerIsKept() throws Exception {
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      assertEquals(
          SHARDS,
          admin
              .describeTopics(List.of(Topics.LEDGER))
              .allTopicNames()
              .get()
              .get(Topics.LEDGER)
              .partitions()
              .size());
      assertEquals("LogAppendTime", config(admin, Topics.COMMANDS, "message.timestamp.type"));
      assertEquals("-1", config(admin, Topics.LEDGER, "retention.ms"));
      assertEquals("compact", config(admin, Topics.SCHEMAS, "cleanup.policy"));
      assertEquals(
          Integer.toString(Topics.MESSAGE_BYTES_MAX),
          config(admin, Topics.COMMANDS, "max.message.bytes"));
    }
  }

  private static String config(Admin admin, String topic, String name) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name).value();
  }

  @Test
  void monitorMayReadTheLedgerAndWriteNothing() throws Exception {
    for (String topic : List.of(Topics.COMMANDS, Topics.LEDGER, Topics.SCHEMAS)) {
      assertRefusedToWrite(KafkaPrincipal.MONITOR, topic);
    }
    assertEquals(0, readable(KafkaPrincipal.MONITOR, Topics.LEDGER));
    assertRefusedToRead(KafkaPrincipal.MONITOR, Topics.COMMANDS);
    assertRefusedToRead(KafkaPrincipal.MONITOR, Topics.REPLIES);
    assertRefusedToRead(KafkaPrincipal.MONITOR, Topics.DISPATCH);
  }

  /** All that a transaction needs of its coordinator but its begin and its end. */
  @Test
  void partitionsAreAddedToTransactionsWithoutRequests() throws Exception {
    TopicPartition first = new TopicPartition("of-transactions", 0);
    TopicPartition second = new TopicPartition("of-transactions", 1);
    Map<TopicPartition, OffsetAndMetadata> positions = Map.of(first, new OffsetAndMetadata(7));
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN));
        KafkaProducer<byte[], byte[]> producer = transactional();
        KafkaProducer<byte[], byte[]> successor = transactional()) {
      admin.createTopics(List.of(new NewTopic(first.topic(), 2, (short) 1))).all().get();
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(first.topic(), 0, null, new byte[] {1}));
      producer.send(new ProducerRecord<>(first.topic(), 1, null, new byte[] {2}));
      producer.sendOffsetsToTransaction(positions, readers());
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(first.topic(), 0, null, new byte[] {3}));
      producer.flush();
      producer.abortTransaction();
      successor.initTransactions();
      producer.beginTransaction();
      Future<?> late = producer.send(new ProducerRecord<>(first.topic(), 0, null, new byte[] {4}));
      assertInstanceOf(
          ApiException.class, assertThrows(ExecutionException.class, late::get).getCause());
      successor.beginTransaction();
      successor.send(new ProducerRecord<>(first.topic(), 0, null, new byte[] {5}));
      successor.commitTransaction();
      assertEquals(List.of(1, 5), committed(first, 2));
      assertEquals(List.of(2), committed(second, 1));
      assertEquals(
          positions,
          admin.listConsumerGroupOffsets("readers").partitionsToOffsetAndMetadata().get());
    }
    Map<String, Long> requests = BrokerRequests.now(broker.pid()).counts();
    assertTrue(requests.get("EndTxn") >= 3, requests.toString());
    assertEquals(0, requests.getOrDefault("AddPartitionsToTxn", 0L));
  }

  private static KafkaProducer<byte[], byte[]> transactional() throws IOException {
    Map<String, Object> settings = broker.client(KafkaPrincipal.ADMIN);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "of-this-test");
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static KafkaConsumer<byte[], byte[]> reader() throws IOException {
    Map<String, Object> settings = broker.client(KafkaPrincipal.ADMIN);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, "readers");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static ConsumerGroupMetadata readers() throws IOException {
    try (KafkaConsumer<byte[], byte[]> reader = reader()) {
      return reader.groupMetadata();
    }
  }

  /** The first bytes of so many committed records. */
  private static List<Integer> committed(TopicPartition partition, int count) throws IOException {
    List<Integer> found = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = reader()) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Awaitility.await()
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(200))
                    .forEach(record -> found.add((int) record.value()[0]));
                return found.size() >= count;
              });
    }
    return found;
  }

  /** The first four bytes of a request say how long it is: here half a megabyte each. */
  @Test
  void whoDoesNotLogInCostsLittleAndIsEnded() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        strangers.add(stranger());
        if (i % 10 != 0) {
          strangers.get(i).getOutputStream().write(new byte[] {0, 7, 0, 0, 1});
        }
      }
      write(KafkaPrincipal.GATEWAY, Topics.COMMANDS);
      for (Socket stranger : strangers) {
        assertTrue(ended(stranger), "a connection that has not logged in");
      }
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  private static Socket stranger() throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), broker.cluster().embedded().broker());
    socket.setSoTimeout(120_000);
    return socket;
  }

  private static boolean ended(Socket stranger) throws IOException {
    try {
      return stranger.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // it was reset
    }
  }

  @Test
  void eachPrincipalHasItsOwnRights() throws Exception {
    write(KafkaPrincipal.GATEWAY, Topics.COMMANDS);
    write(KafkaPrincipal.ENGINE, Topics.PROPOSALS);
    write(KafkaPrincipal.EXECUTOR, Topics.REPORTS);
    write(KafkaPrincipal.SERVER, Topics.MESSAGES);
    for (KafkaPrincipal principal :
        List.of(KafkaPrincipal.GATEWAY, KafkaPrincipal.ENGINE, KafkaPrincipal.EXECUTOR)) {
      assertRefusedToWrite(principal, Topics.LEDGER);
      assertRefusedToWrite(principal, Topics.MESSAGES);
    }
    assertRefusedToRead(KafkaPrincipal.GATEWAY, Topics.LEDGER);
    assertRefusedToRead(KafkaPrincipal.EXECUTOR, Topics.LEDGER);
    assertRefusedToRead(KafkaPrincipal.ENGINE, Topics.DISPATCH);
    assertEquals(0, readable(KafkaPrincipal.EXECUTOR, Topics.DISPATCH));
    assertEquals(0, readable(KafkaPrincipal.GATEWAY, Topics.REPLIES));
  }

  @Test
  void aRuleThatLetsAnExecutorWriteForUsersIsTakenBack() throws Exception {
    AclBinding loose =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, Topics.COMMANDS, PatternType.LITERAL),
            new AccessControlEntry(
                "User:executor", "*", AclOperation.WRITE, AclPermissionType.ALLOW));
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      admin.createAcls(List.of(loose)).all().get();
      initialise(SHARDS);
      assertFalse(admin.describeAcls(AclBindingFilter.ANY).values().get().contains(loose));
    }
  }

  @Test
  void aWrongPasswordAndNoPasswordAreRefused() throws Exception {
    Map<String, Object> wrong = broker.client(KafkaPrincipal.ADMIN);
    wrong.put(
        "sasl.jaas.config",
        wrong.get("sasl.jaas.config").toString().replaceAll("password=\"..", "password=\"zz"));
    try (Admin admin = Admin.create(wrong)) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> admin.listTopics().names().get());
      assertInstanceOf(SaslAuthenticationException.class, refused.getCause());
    }
    Map<String, Object> none = new HashMap<>();
    none.put("bootstrap.servers", broker.cluster().bootstrapServers());
    none.put("default.api.timeout.ms", "3000");
    none.put("request.timeout.ms", "2000");
    try (Admin admin = Admin.create(none)) {
      assertThrows(ExecutionException.class, () -> admin.listTopics().names().get());
    }
  }

  @Test
  void everyProcessLoadsTheSchemasAndReadsWhatOthersWrite() throws Exception {
    RecordCodec writer = Codecs.open(broker.client(KafkaPrincipal.SERVER));
    RecordCodec reader = Codecs.open(broker.client(KafkaPrincipal.GATEWAY));
    ShardOwner owner = new ShardOwner(2, "127.0.0.1:1", 3L);
    assertEquals(owner, reader.decode(writer.encode(owner)));
  }

  @Test
  void theRegistryIsServedToOtherToolsForReading() throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + broker.cluster().embedded().registry());
    ConfluentRegistry rest = new ConfluentRegistry(uri);
    Awaitility.await()
        .atMost(Duration.ofSeconds(180))
        .ignoreException(RegistryException.class)
        .until(() -> rest.subjects().size() == Catalogue.get().entries().size());
    assertEquals(CompatibilityLevel.FULL_TRANSITIVE, rest.compatibility());
    Schema stranger = SchemaBuilder.record("test.Stranger").fields().requiredInt("x").endRecord();
    assertEquals(
        403,
        assertThrows(RegistryException.class, () -> rest.register("test.Stranger", stranger))
            .status());
    Schema broken =
        SchemaBuilder.record("io.millrace.schemas.output.KillRun")
            .fields()
            .requiredInt("nothing")
            .endRecord();
    assertEquals(
        409,
        assertThrows(
                RegistryException.class,
                () -> rest.register("io.millrace.schemas.output.KillRun", broken))
            .code());
  }

  @Test
  void aSchemaRegisteredLaterIsFoundByAProcessThatRuns() throws Exception {
    Schema later = SchemaBuilder.record("test.Later").fields().requiredInt("x").endRecord();
    try (TopicRegistry running = TopicRegistry.open(broker.client(KafkaPrincipal.GATEWAY));
        TopicRegistry admin = TopicRegistry.open(broker.client(KafkaPrincipal.ADMIN))) {
      int id = admin.register("test.Later", later);
      assertEquals(later, running.byId(id).orElseThrow());
      assertTrue(running.byId(id + 1).isEmpty());
      assertTrue(running.byId(Integer.MAX_VALUE).isEmpty());
      assertEquals(id, admin.register("test.Later", later));
      assertThrows(
          RegistryException.class,
          () ->
              running.register(
                  "test.Forbidden",
                  SchemaBuilder.record("test.Forbidden").fields().requiredInt("x").endRecord()));
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAfterSigkill(@TempDir Path other) throws Exception {
    try (BrokerProcess killed = new BrokerProcess(other, 1)) {
      killed.start("--durable");
      new ClusterInit(killed.client(KafkaPrincipal.ADMIN), 1, line -> {}).run(true);
      send(killed.client(KafkaPrincipal.GATEWAY), Topics.COMMANDS);
      killed.kill();
      killed.start();
      assertEquals(1, end(killed.client(KafkaPrincipal.SERVER), Topics.COMMANDS));
    }
  }

  private static void write(KafkaPrincipal principal, String topic) throws Exception {
    send(broker.client(principal), topic);
  }

  private static void send(Map<String, Object> client, String topic) throws Exception {
    Map<String, Object> config = new HashMap<>(client);
    config.put("max.block.ms", "60000");
    config.put("acks", "all");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] value = "garbage".getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(topic, value)).get(90, TimeUnit.SECONDS);
    }
  }

  private static void assertRefusedToWrite(KafkaPrincipal principal, String topic) {
    Throwable refused = assertThrows(Exception.class, () -> write(principal, topic));
    // Alone, in what the send returns, or as the cause of the error state that its producer is in.
    Throwable cause = refused;
    while (!(cause instanceof AuthorizationException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertInstanceOf(AuthorizationException.class, cause, principal + " " + topic);
  }

  /** Reads until the broker has answered a fetch; a refusal is thrown, from whichever poll. */
  private static long readable(KafkaPrincipal principal, String topic) throws Exception {
    Map<String, Object> client = broker.client(principal);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      long records = 0;
      boolean answered = false;
      while (!answered) {
        assertTrue(System.nanoTime() < deadline, principal + " " + topic + ": no answer");
        // Read before the poll that takes the records of the answer.
        answered = fetches(consumer) > 0;
        records += consumer.poll(Duration.ofMillis(500)).count();
      }
      return records;
    }
  }

  private static double fetches(KafkaConsumer<?, ?> consumer) {
    return consumer.metrics().values().stream()
        .filter(it -> it.metricName().group().equals("consumer-fetch-manager-metrics"))
        .filter(it -> it.metricName().name().equals("fetch-total"))
        .mapToDouble(it -> (Double) it.metricValue())
        .sum();
  }

  private static long end(Map<String, Object> client, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      return consumer.endOffsets(List.of(partition)).get(partition);
    }
  }

  private static void assertRefusedToRead(KafkaPrincipal principal, String topic) {
    assertThrows(
        AuthorizationException.class, () -> readable(principal, topic), principal + " " + topic);
  }
}
