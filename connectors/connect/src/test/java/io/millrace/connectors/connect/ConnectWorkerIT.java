package io.millrace.connectors.connect;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.local.RealBroker;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers of Kafka Connect that are killed while records flow: what is on the topics afterwards is
 * what the cluster had, and what was ordered was begun once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectWorkerIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String STANDALONE = "ConnectStandalone";
  private static final int KILLS = Boolean.getBoolean("millrace.night") ? 3 : 1;
  private static final int JOBS = 4 * KILLS;

  @TempDir static Path folder;

  private RealBroker broker;
  private RecordCodec codec;

  @BeforeAll
  void up() throws Exception {
    broker = new RealBroker(folder);
    codec = broker.codec();
    try (Admin admin = Admin.create(broker.client())) {
      List<NewTopic> topics = new ArrayList<>();
      for (String one : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
        topics.add(new NewTopic(one, 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
      }
      topics.add(new NewTopic(Topics.HEARTBEATS, 1, (short) 1));
      admin.createTopics(topics).all().get();
    }
  }

  @AfterAll
  void down() {
    if (broker != null) {
      broker.close();
    }
  }

  /** Each look reads two topics from their begin. */
  private static ConditionFactory soon() {
    return await().atMost(SOON).pollInterval(Duration.ofMillis(500));
  }

  /** The settings of a connector, as its file and as Connect's interface take them. */
  private Map<String, String> settings(String cluster, ScriptedSlurm slurm, ConnectSide side)
      throws IOException {
    Path key = folder.resolve(cluster + ".properties");
    Files.writeString(
        key,
        "bootstrap.servers=%s\n%s=%s\n"
            .formatted(broker.address(), HostKey.PROPERTY, FakeShards.KEY));
    Map<String, String> settings =
        side == ConnectSide.SOURCE ? ConnectorSettingsTest.source() : ConnectorSettingsTest.sink();
    settings.put(
        "connector.class",
        side == ConnectSide.SOURCE
            ? OutsideSourceConnector.class.getName()
            : OrderSinkConnector.class.getName());
    settings.put("name", cluster);
    settings.put("millrace.properties", key.toString());
    settings.put("cluster.name", cluster);
    settings.put("cluster.commands", slurm.folder().toString());
    settings.put("cluster.accounting", slurm.completions().toString());
    return settings;
  }

  /** All records of both topics that are of a cluster, in their order, as a reader sees them. */
  private Map<String, List<Optional<SpecificRecord>>> told(String cluster) throws Exception {
    return new TopicsAsRead(broker.client(), codec).all(cluster);
  }

  private static Optional<SpecificRecord> last(
      Map<String, List<Optional<SpecificRecord>>> told, String key) {
    List<Optional<SpecificRecord>> all = told.getOrDefault(key, List.of());
    return all.isEmpty() ? Optional.empty() : all.get(all.size() - 1);
  }

  private boolean isShown(String cluster, long number, String state) throws Exception {
    return last(told(cluster), cluster + "/" + number)
        .map(it -> ((ObservedJob) it).getState().equals(state))
        .orElse(false);
  }

  /** A worker, and how it comes back after it was killed. */
  private interface Life {
    void begin() throws Exception;
  }

  /** Jobs run and end while the worker is killed again and again. */
  private void play(String cluster, ConnectWorker worker, Life life, ScriptedSlurm slurm)
      throws Exception {
    PlayedSlurm played = new PlayedSlurm(slurm.completions());
    slurm.says(played);
    life.begin();
    soon().until(() -> last(told(cluster), "n2@" + cluster).isPresent());
    for (int i = 1; i <= JOBS; i++) {
      played.is(i, "RUNNING");
    }
    slurm.says(played);
    soon().until(() -> isShown(cluster, JOBS, "R"));
    for (int kill = 0; kill < KILLS; kill++) {
      int from = 1 + kill * JOBS / KILLS;
      int to = (kill + 1) * JOBS / KILLS;
      for (int i = from; i < to; i++) {
        played.ends(i, i);
      }
      slurm.says(played);
      // In the middle of what it tells: the first of these is told, perhaps not the others.
      soon().until(() -> isShown(cluster, from, "F"));
      worker.kill();
      played.ends(to, to);
      slurm.says(played);
      life.begin();
    }
    soon().until(() -> isShown(cluster, JOBS, "F"));
    Map<String, List<Optional<SpecificRecord>>> told = told(cluster);
    for (int i = 1; i <= JOBS; i++) {
      ObservedJob job = (ObservedJob) last(told, cluster + "/" + i).orElseThrow();
      assertEquals("F", job.getState(), job::toString);
      assertEquals(i, job.getExitStatus(), job::toString);
      assertFalse(job.getEnd().contains("nobody knows"), job::toString);
    }
    ObservedNode node = (ObservedNode) last(told, "n1@" + cluster).orElseThrow();
    assertEquals(4, node.getNcpus());
    System.out.println(cluster + ": killed lives used " + worker.cpuMs() + " ms of processor");
  }

  @Test
  void aStandaloneWorkerLosesNothing() throws Exception {
    ScriptedSlurm slurm = new ScriptedSlurm(folder.resolve("slurm-c1"));
    Path connector =
        ConnectWorker.properties(
            folder.resolve("c1-connector.properties"), settings("c1", slurm, ConnectSide.SOURCE));
    String offsets = folder.resolve("c1-offsets").toString();
    try (ConnectWorker worker =
        new ConnectWorker(
            folder.resolve("c1"),
            broker.address(),
            Map.of("offset.storage.file.filename", offsets))) {
      play("c1", worker, () -> worker.start(STANDALONE, connector), slurm);
    }
  }

  @Test
  @Tag("night")
  void aDistributedWorkerTellsEachThingOnce() throws Exception {
    ScriptedSlurm slurm = new ScriptedSlurm(folder.resolve("slurm-c2"));
    Map<String, String> settings = settings("c2", slurm, ConnectSide.SOURCE);
    settings.put("exactly.once.support", "required");
    settings.put("transaction.boundary", "connector");
    Map<String, String> more = new HashMap<>();
    more.put("group.id", "connect-c2");
    more.put("exactly.once.source.support", "enabled");
    for (String topic : List.of("config", "offset", "status")) {
      more.put(topic + ".storage.topic", "connect-c2-" + topic);
      more.put(topic + ".storage.replication.factor", "1");
    }
    more.put("offset.storage.partitions", "1");
    more.put("status.storage.partitions", "1");
    // Until then the one that was killed still counts as a member.
    more.put("session.timeout.ms", "6000");
    more.put("heartbeat.interval.ms", "2000");
    more.put("scheduled.rebalance.max.delay.ms", "0");
    String body = new ObjectMapper().writeValueAsString(settings);
    try (ConnectWorker worker = new ConnectWorker(folder.resolve("c2"), broker.address(), more)) {
      Life life =
          () -> {
            worker.start("ConnectDistributed");
            soon().until(() -> worker.ask("PUT", "/connectors/c2/config", body).startsWith("20"));
          };
      play("c2", worker, life, slurm);
      String status = worker.ask("GET", "/connectors/c2/tasks/0/status", "");
      assertTrue(status.contains("RUNNING"), status);
      String wrong = body.replace("\"slurm\"", "\"lsf\"");
      String refused = worker.ask("PUT", "/connectors/c2/config", wrong);
      assertTrue(refused.startsWith("400"), refused);
      assertTrue(refused.contains("cluster.system is one of"), refused);
    }
    told("c2")
        .forEach(
            (key, all) -> {
              for (int i = 1; i < all.size(); i++) {
                assertNotEquals(all.get(i - 1), all.get(i), key + " was told twice");
              }
            });
  }

  @Test
  @Tag("night")
  void whatIsOrderedIsBegunOnce() throws Exception {
    ScriptedSlurm slurm = new ScriptedSlurm(folder.resolve("slurm-c3"));
    slurm.runs();
    Path spool = Files.createDirectories(folder.resolve("shared"));
    Files.createDirectories(spool.resolve("nobody"));
    Map<String, String> settings = settings("c3", slurm, ConnectSide.SINK);
    settings.remove("cluster.user.alice");
    settings.put("cluster.user." + System.getProperty("user.name"), "nobody");
    settings.put("cluster.spool", spool.toString());
    settings.put("millrace.spool", folder.resolve("remembered").toString());
    Path connector = ConnectWorker.properties(folder.resolve("c3-connector.properties"), settings);
    String offsets = folder.resolve("c3-offsets").toString();
    Path begun = Files.writeString(folder.resolve("begun"), "");
    try (FakeShards shards = new FakeShards(broker, "n1@c3");
        ConnectWorker worker =
            new ConnectWorker(
                folder.resolve("c3"),
                broker.address(),
                Map.of("offset.storage.file.filename", offsets))) {
      worker.start(STANDALONE, connector);
      shards.awaitReports(0, SOON, all -> !all.isEmpty()); // the node is up
      for (int i = 0; i < JOBS; i++) {
        String script = "echo %d >> %s; sleep 1; exit %d".formatted(i, begun, i);
        shards.order(shards.start(i + ".vm", script, folder.resolve("out")));
        if (i % (JOBS / KILLS) == JOBS / KILLS / 2) {
          int number = i;
          soon().until(() -> Files.readString(begun).contains(number + "\n"));
          worker.kill();
          worker.start(STANDALONE, connector);
        }
      }
      for (int i = 0; i < JOBS; i++) {
        assertEquals(i, shards.awaitEnd(i + ".vm").getExitStatus(), i + ".vm");
      }
      System.out.println("c3: killed lives used " + worker.cpuMs() + " ms of processor");
    }
    List<String> tags = Files.readAllLines(slurm.submitted());
    assertEquals(JOBS, tags.size(), tags::toString);
    assertEquals(JOBS, tags.stream().distinct().count(), tags::toString);
    String[] lines = Files.readString(begun).strip().split("\n");
    assertEquals(JOBS, lines.length, () -> Arrays.toString(lines));
    assertEquals(JOBS, Arrays.stream(lines).distinct().count(), () -> Arrays.toString(lines));
  }
}
