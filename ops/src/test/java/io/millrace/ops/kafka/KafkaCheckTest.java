package io.millrace.ops.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.init.PlannedTopics;
import io.millrace.ops.kafka.KafkaSettings.Partition;
import io.millrace.ops.kafka.KafkaSettings.Topic;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaCheckTest {

  private static final int SHARDS = 4;
  private static final List<Integer> COPIES = List.of(2, 1, 3);
  private static final Partition WHOLE = new Partition(COPIES, 3, true);

  private final TreeMap<Integer, Map<String, String>> brokers = new TreeMap<>();
  private final TreeMap<String, Topic> topics = new TreeMap<>();
  private final Map<String, Integer> features = new HashMap<>();
  private long clockAheadMs;

  KafkaCheckTest() {
    for (int number = 1; number <= 3; number++) {
      Map<String, String> broker = new HashMap<>();
      broker.put("default.replication.factor", "3");
      broker.put("min.insync.replicas", "2");
      broker.put("transaction.state.log.replication.factor", "3");
      broker.put("transaction.state.log.min.isr", "2");
      broker.put("offsets.topic.replication.factor", "3");
      broker.put("unclean.leader.election.enable", "false");
      broker.put("group.min.session.timeout.ms", "6000");
      broker.put("group.max.session.timeout.ms", "1800000");
      broker.put("transaction.max.timeout.ms", "900000");
      broker.put("transactional.id.expiration.ms", "604800000");
      broker.put("offsets.retention.minutes", "10080");
      broker.put("socket.request.max.bytes", "104857600");
      broker.put("auto.create.topics.enable", "false");
      broker.put(
          "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
      broker.put("broker.session.timeout.ms", "2000");
      broker.put("controller.quorum.fetch.timeout.ms", "1000");
      broker.put("replica.fetch.backoff.ms", "100");
      broker.put("add.partitions.to.txn.retry.backoff.ms", "2");
      broker.put("group.coordinator.append.linger.ms", "-1");
      broker.put("group.initial.rebalance.delay.ms", "0");
      brokers.put(number, broker);
    }
    Map<String, Integer> partitions = PlannedTopics.partitions(SHARDS);
    PlannedTopics.settings()
        .forEach(
            (name, plan) -> {
              Map<String, String> settings = new HashMap<>(plan);
              settings.put("min.insync.replicas", "2");
              settings.put("unclean.leader.election.enable", "false");
              settings.putIfAbsent("cleanup.policy", "delete");
              topics.put(
                  name, new Topic(Collections.nCopies(partitions.get(name), WHOLE), settings));
            });
    features.put("metadata.version", 27);
    features.put("transaction.version", 2);
  }

  private List<String> lines() {
    return KafkaCheck.of(new KafkaSettings(brokers, topics, features, clockAheadMs)).stream()
        .map(KafkaFinding::line)
        .toList();
  }

  private void only(String line) {
    assertEquals(List.of(line), lines());
  }

  private void topic(String name, Partition partition, Map<String, String> changed) {
    Topic before = topics.get(name);
    Map<String, String> settings = new HashMap<>(before.settings());
    settings.putAll(changed);
    topics.put(
        name, new Topic(Collections.nCopies(before.partitions().size(), partition), settings));
  }

  @Test
  void aGoodClusterHasNoLines() {
    assertEquals(List.of(), lines());
    topics.clear();
    assertEquals(List.of(), lines(), "one without topics of ours yet");
  }

  @Test
  void aClockThatIsOffIsFound() {
    clockAheadMs = 601_000;
    only(
        "red   the controller: its clock is 601 s ahead of this host's: jobs wait, start and end at"
            + " other times than their users and hosts read; set both clocks by the same service"
            + " (NTP)");
    clockAheadMs = -5_500;
    assertTrue(lines().get(0).startsWith("note  the controller: its clock is 5 s behind this"));
    clockAheadMs = 1_900;
    assertEquals(List.of(), lines());
  }

  @Test
  void aClockIsOffByWhatNoDelayExplains() {
    assertEquals(0, KafkaReader.clockAheadMs(1_500, 1_000, 2_000));
    assertEquals(3_000, KafkaReader.clockAheadMs(5_000, 1_000, 2_000));
    assertEquals(-900, KafkaReader.clockAheadMs(100, 1_000, 2_000));
  }

  @ParameterizedTest
  @CsvSource({
    "default.replication.factor,1,red",
    "min.insync.replicas,1,red",
    "transaction.state.log.replication.factor,1,red",
    "transaction.state.log.min.isr,1,red",
    "offsets.topic.replication.factor,1,red",
    "unclean.leader.election.enable,true,red",
    "group.min.session.timeout.ms,10000,red",
    "group.max.session.timeout.ms,5000,red",
    "transaction.max.timeout.ms,5000,red",
    "transactional.id.expiration.ms,60000,red",
    "offsets.retention.minutes,1440,red",
    "socket.request.max.bytes,1048576,red",
    "auto.create.topics.enable,true,note",
    "broker.session.timeout.ms,9000,note",
    "controller.quorum.fetch.timeout.ms,2000,note",
    "replica.fetch.backoff.ms,1000,note",
    "add.partitions.to.txn.retry.backoff.ms,20,note",
    "group.coordinator.append.linger.ms,5,note",
    "group.initial.rebalance.delay.ms,3000,note",
  })
  void eachSettingOfABrokerIsFound(String setting, String value, String weight) {
    brokers.get(2).put(setting, value);
    List<String> lines = lines();
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(
        lines.get(0).matches(weight + " +broker 2: " + setting + "=" + value + ": .+; set .+"),
        lines.get(0));
  }

  @Test
  void brokersWithTheSameFaultShareALine() {
    brokers.get(1).put("min.insync.replicas", "1");
    brokers.get(3).put("min.insync.replicas", "1");
    only(
        "red   brokers 1, 3: min.insync.replicas=1: what is acknowledged may be on one disk alone;"
            + " set 2 or more");
  }

  @Test
  void withoutAnAuthorizerEverybodyMayWrite() {
    brokers.values().forEach(broker -> broker.remove("authorizer.class.name"));
    only(
        "note  brokers 1, 2, 3: authorizer.class.name=: whoever reaches the brokers may write"
            + " facts; set Kafka's StandardAuthorizer, and the rules of ./millrace acls");
  }

  @Test
  void topicsAreFound() {
    topic(Topics.LEDGER, new Partition(List.of(2), 1, true), Map.of());
    only(
        "red   topic ledger: replication factor 1: a lost disk or broker loses it or stops the"
            + " shards; kafka-reassign-partitions.sh, to 3");
    topic(Topics.LEDGER, WHOLE, Map.of("min.insync.replicas", "3"));
    only(
        "red   topic ledger: min.insync.replicas=3 of 3 copies: one broker that is away stops all"
            + " writes; set 2");
    topic(Topics.LEDGER, WHOLE, Map.of("min.insync.replicas", "2", "retention.ms", "604800000"));
    only("red   topic ledger: retention.ms=604800000: the ledger forgets what happened; set -1");
    topic(Topics.LEDGER, WHOLE, Map.of("retention.ms", "-1"));
    topic(Topics.CAMPAIGN_LEDGER, WHOLE, Map.of("retention.bytes", "1073741824"));
    only(
        "red   topic campaign-ledger: retention.bytes=1073741824: the ledger forgets what happened;"
            + " set -1");
  }

  @Test
  void whatATopicMustBeIsFound() {
    topic(Topics.COMMANDS, WHOLE, Map.of("message.timestamp.type", "CreateTime"));
    only(
        "red   topic commands: message.timestamp.type=CreateTime: shards take commands in the order"
            + " of the brokers' time; set LogAppendTime");
    topic(Topics.COMMANDS, WHOLE, Map.of("message.timestamp.type", "LogAppendTime"));
    topic(Topics.SCHEMAS, WHOLE, Map.of("cleanup.policy", "delete"));
    assertTrue(lines().get(0).startsWith("red   topic schemas: cleanup.policy=delete: "));
    topic(Topics.SCHEMAS, WHOLE, Map.of("cleanup.policy", "compact"));
    topic(Topics.REPLIES, WHOLE, Map.of("max.message.bytes", "1048588"));
    assertTrue(lines().get(0).startsWith("red   topic replies: max.message.bytes=1048588: "));
    topic(Topics.REPLIES, WHOLE, Map.of("max.message.bytes", "8388608"));
    assertEquals(List.of(), lines());
  }

  @Test
  void otherPartitionsThanTheShardsAreFound() {
    topics.put(
        Topics.LEDGER,
        new Topic(Collections.nCopies(1, WHOLE), topics.get(Topics.LEDGER).settings()));
    only(
        "red   topic ledger: 1 partitions: with 4 shards there are to be 4; delete it if it is"
            + " empty, ./millrace up makes it anew");
  }

  @Test
  void shardsThatAreLedByOthersThanTheirLedgerAreTold() {
    String changelog = "millrace-jobs-changelog";
    topics.put(changelog, topics.get(Topics.LEDGER));
    assertEquals(List.of(), lines());
    topics.put(
        changelog,
        new Topic(
            List.of(WHOLE, WHOLE, new Partition(List.of(1, 2, 3), 3, true), WHOLE),
            topics.get(Topics.LEDGER).settings()));
    only(
        "note  topic millrace-jobs-changelog: shards are led by other brokers than in the ledger:"
            + " these brokers join each transaction of a shard one after the other;"
            + " kafka-reassign-partitions.sh: each partition of millrace-jobs-changelog where the"
            + " ledger has its own");
    topic(Topics.DISPATCH, new Partition(List.of(3, 2, 1), 3, true), Map.of());
    assertEquals(1, lines().size(), "orders go to hosts, not shards");
  }

  @Test
  void whatIsAwayIsTold() {
    topic(Topics.LEDGER, new Partition(COPIES, 2, true), Map.of());
    only(
        "note  topic ledger: 4 partitions with copies that are behind: a broker is away or slow;"
            + " look at the brokers; it ends by itself");
    topic(Topics.LEDGER, new Partition(COPIES, 2, false), Map.of());
    assertTrue(lines().get(0).startsWith("red   topic ledger: 4 partitions without a leader: "));
  }

  @Test
  void versionsAndSizeAreTold() {
    features.put("transaction.version", 1);
    assertTrue(lines().get(0).startsWith("note  all brokers: transaction.version=1: "));
    features.clear();
    assertTrue(lines().get(0).startsWith("red   all brokers: metadata.version is not there: "));
    brokers.remove(3);
    assertTrue(
        lines().stream().anyMatch(line -> line.startsWith("red   the cluster: 2 brokers: ")));
  }

  @Test
  void thePageHasEachSetting() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("millrace.root")).resolve("docs/kafka.md"));
    for (BrokerRule rule : BrokerRule.ALL) {
      assertTrue(page.contains("`" + rule.setting() + "`"), rule.setting());
    }
  }
}
