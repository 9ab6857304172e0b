package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.init.ClusterInit;
import io.millrace.schedulers.engine.EngineThreads;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.schemas.registry.Codecs;
import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.streams.Server;
import io.millrace.server.streams.ServerSettings;
import io.millrace.server.streams.group.ShardGroup;
import io.millrace.server.streams.input.BesideShards;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of two homes on one cluster. */
@Beside
class TwoServersIT {

  private static final int SHARDS = 4;

  @TempDir Path folder;

  private Server server(BrokerProcess broker, String name) throws Exception {
    Home home = new Home(folder.resolve(name));
    home.create();
    ServerInstance.ensure(home);
    Map<String, Object> client = broker.client(KafkaPrincipal.SERVER);
    RecordCodec codec = Codecs.open(client);
    ServerSettings settings =
        new ServerSettings(
            client,
            home.root().resolve("data/server"),
            ServerInstance.read(home).orElseThrow(),
            new ListeningPlaces(home.root().resolve("run/query.sock"), Optional.empty()),
            "secret",
            Set.of(),
            true);
    BesideShards beside =
        new BesideShards(Optional.of(new EngineThreads()), (line, limitS, all) -> "");
    return new Server(settings, codec, SHARDS, beside, HostKeys.NONE, line -> {});
  }

  private static Collection<MemberDescription> members(Admin admin)
      throws ExecutionException, InterruptedException {
    return admin
        .describeConsumerGroups(Set.of(Topics.APPLICATION))
        .all()
        .get()
        .get(Topics.APPLICATION)
        .members();
  }

  /** Whether the group has two members and each owns shards. */
  private static boolean share(Admin admin) throws ExecutionException, InterruptedException {
    Collection<MemberDescription> members = members(admin);
    return members.size() == 2
        && members.stream().noneMatch(it -> it.assignment().topicPartitions().isEmpty());
  }

  private static boolean ownsAll(Collection<MemberDescription> members) {
    return members.stream()
        .anyMatch(
            it ->
                it.assignment().topicPartitions().stream()
                        .filter(partition -> partition.topic().equals(Topics.COMMANDS))
                        .count()
                    == SHARDS);
  }

  private static void whatAKilledServerHasBegunIsEnded(Map<String, Object> client) {
    Map<String, Object> config = new HashMap<>(client);
    config.put(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        Topics.APPLICATION + "-" + UUID.randomUUID() + "-1");
    try (KafkaProducer<byte[], byte[]> killed =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        ShardGroup group = new ShardGroup(client)) {
      killed.initTransactions();
      killed.beginTransaction();
      killed.send(new ProducerRecord<>(Topics.MESSAGES, 0, null, new byte[0]));
      killed.flush();
      group.endOrphans();
      assertThrows(KafkaException.class, killed::commitTransaction);
    }
  }

  @Test
  void theyShareTheShardsAndNeitherShutsTheOtherOut() throws Exception {
    try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker"), SHARDS)) {
      broker.start();
      new ClusterInit(broker.client(KafkaPrincipal.ADMIN), SHARDS, line -> {}).run(true);
      try (Server one = server(broker, "one");
          Server other = server(broker, "other");
          Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
        one.start();
        Awaitility.await().atMost(Duration.ofSeconds(180)).until(one::running);
        other.start();
        Awaitility.await()
            .atMost(Duration.ofSeconds(180))
            .ignoreExceptionsInstanceOf(ExecutionException.class)
            .until(() -> share(admin) && one.running() && other.running());
        Set<String> names =
            members(admin).stream()
                .map(it -> it.groupInstanceId().orElseThrow())
                .collect(Collectors.toSet());
        assertEquals(2, names.size(), names.toString());
        one.close();
        // Whoever stays a member keeps its shards from the others until its session is over.
        assertEquals(1, members(admin).size());
        Awaitility.await()
            .atMost(Duration.ofSeconds(180))
            .ignoreExceptionsInstanceOf(ExecutionException.class)
            .until(() -> other.running() && ownsAll(members(admin)));
        other.close();
        assertEquals(1, members(admin).size(), "with no other server its place is kept");
      }
      whatAKilledServerHasBegunIsEnded(broker.client(KafkaPrincipal.SERVER));
    }
  }
}
