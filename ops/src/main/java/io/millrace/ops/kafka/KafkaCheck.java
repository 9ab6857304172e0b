package io.millrace.ops.kafka;

import io.millrace.ops.init.PlannedTopics;
import io.millrace.ops.kafka.KafkaFinding.Weight;
import io.millrace.ops.kafka.KafkaSettings.Topic;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.Topics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Judges what a cluster says of itself. */
public final class KafkaCheck {

  private static final int COPIES = 3;

  /** Settings of topics that are compared with those that they are made with. */
  private static final List<String> FIXED =
      List.of("cleanup.policy", "message.timestamp.type", "max.message.bytes");

  /** Settings of topics by which records are deleted. */
  private static final List<String> BOUNDS = List.of("retention.ms", "retention.bytes");

  private static final String FOREVER = "-1";
  private static final int TRANSACTIONS = 2;

  private static final long CLOCK_NOTE_MS = 2_000;
  private static final long CLOCK_RED_MS = 60_000;

  private final KafkaSettings cluster;
  private final List<KafkaFinding> found = new ArrayList<>();

  private KafkaCheck(KafkaSettings cluster) {
    this.cluster = cluster;
  }

  /**
   * Reads a cluster and judges it, the worst first.
   *
   * @param client settings of an administrator
   * @throws WordFailed in one line, when the brokers do not answer or do not tell
   */
  public static List<KafkaFinding> of(Map<String, Object> client)
      throws WordFailed, InterruptedException {
    return of(KafkaReader.read(client));
  }

  static List<KafkaFinding> of(KafkaSettings cluster) {
    KafkaCheck check = new KafkaCheck(cluster);
    check.versions();
    check.size();
    check.clock();
    BrokerRule.ALL.forEach(rule -> check.found.addAll(rule.findings(cluster.brokers())));
    check.topics();
    check.found.sort(Comparator.comparing(KafkaFinding::weight));
    return List.copyOf(check.found);
  }

  private void versions() {
    int transactions = cluster.features().getOrDefault("transaction.version", 0);
    if (!cluster.features().containsKey("metadata.version")) {
      found.add(
          new KafkaFinding(
              Weight.RED,
              "all brokers",
              "metadata.version is not there",
              "they are older than what Millrace is tested with",
              "use Kafka 4.0 or newer"));
    } else if (transactions < TRANSACTIONS) {
      found.add(
          new KafkaFinding(
              Weight.NOTE,
              "all brokers",
              "transaction.version=" + transactions,
              "each transaction takes a request more, and a late one may hang",
              "kafka-features.sh upgrade --feature transaction.version=2"));
    }
  }

  private void size() {
    int brokers = cluster.brokers().size();
    if (brokers < COPIES) {
      found.add(
          new KafkaFinding(
              Weight.RED,
              "the cluster",
              brokers == 1 ? "1 broker" : brokers + " brokers",
              "none of them may be lost without a loss of jobs or a standstill",
              "use three or more"));
    }
  }

  /** Shards take their time from the brokers, executors and users from their hosts. */
  private void clock() {
    long off = Math.abs(cluster.clockAheadMs());
    if (off > CLOCK_NOTE_MS) {
      found.add(
          new KafkaFinding(
              off > CLOCK_RED_MS ? Weight.RED : Weight.NOTE,
              "the controller",
              "its clock is "
                  + off / 1000
                  + (cluster.clockAheadMs() > 0 ? " s ahead of" : " s behind")
                  + " this host's",
              "jobs wait, start and end at other times than their users and hosts read",
              "set both clocks by the same service (NTP)"));
    }
  }

  private void topics() {
    Map<String, Map<String, String>> plans = PlannedTopics.settings();
    cluster
        .topics()
        .forEach(
            (name, topic) -> {
              copies(name, topic);
              state(name, topic);
              if (plans.containsKey(name)) {
                settings(name, topic, plans.get(name));
              }
            });
    partitions();
    places();
  }

  /** A transaction of a shard writes to many of its partitions. */
  private void places() {
    Topic ledger = cluster.topics().get(Topics.LEDGER);
    if (ledger == null) {
      return;
    }
    List<String> elsewhere =
        PlannedTopics.ofShards().stream()
            .filter(cluster.topics()::containsKey)
            .filter(name -> isElsewhere(cluster.topics().get(name), ledger))
            .toList();
    if (!elsewhere.isEmpty()) {
      found.add(
          new KafkaFinding(
              Weight.NOTE,
              elsewhere.size() == 1 ? "topic " + elsewhere.get(0) : elsewhere.size() + " topics",
              "shards are led by other brokers than in the ledger",
              "these brokers join each transaction of a shard one after the other",
              "kafka-reassign-partitions.sh: each partition of "
                  + String.join(", ", elsewhere)
                  + " where the ledger has its own"));
    }
  }

  /** One with another number of partitions is told of as such. */
  private static boolean isElsewhere(Topic topic, Topic ledger) {
    return topic.partitions().size() == ledger.partitions().size()
        && !leaders(topic).equals(leaders(ledger));
  }

  private static List<Integer> leaders(Topic topic) {
    return topic.partitions().stream()
        .map(it -> it.copies().isEmpty() ? -1 : it.copies().get(0))
        .toList();
  }

  private void copies(String name, Topic topic) {
    int copies = topic.partitions().stream().mapToInt(it -> it.copies().size()).min().orElse(0);
    long needed = BrokerRule.number(topic.settings().getOrDefault("min.insync.replicas", "1"));
    if (copies < COPIES) {
      red(
          name,
          "replication factor " + copies,
          "a lost disk or broker loses it or stops the shards",
          "kafka-reassign-partitions.sh, to " + COPIES);
    } else if (needed < 2) {
      red(
          name,
          "min.insync.replicas=" + needed,
          "what is acknowledged may be on one disk alone",
          "set 2");
    }
    if (copies > 1 && needed >= copies) {
      red(
          name,
          "min.insync.replicas=" + needed + " of " + copies + " copies",
          "one broker that is away stops all writes",
          "set " + (copies - 1));
    }
    if ("true".equals(topic.settings().get("unclean.leader.election.enable"))) {
      red(
          name,
          "unclean.leader.election.enable=true",
          "a broker that missed records may lead, and jobs that were accepted vanish",
          "set false");
    }
  }

  private void state(String name, Topic topic) {
    long unled = topic.partitions().stream().filter(it -> !it.led()).count();
    long behind =
        topic.partitions().stream().filter(it -> it.inSync() < it.copies().size()).count();
    if (unled > 0) {
      red(
          name,
          unled + " partitions without a leader",
          "nobody can write or read them",
          "start the brokers that have them");
    } else if (behind > 0) {
      found.add(
          new KafkaFinding(
              Weight.NOTE,
              "topic " + name,
              behind + " partitions with copies that are behind",
              "a broker is away or slow",
              "look at the brokers; it ends by itself"));
    }
  }

  /** What a topic is made with and must stay: others may have made it, or changed it since. */
  private void settings(String name, Topic topic, Map<String, String> plan) {
    for (String setting : FIXED) {
      String wanted = plan.get(setting);
      String now = topic.settings().get(setting);
      boolean large =
          setting.equals("max.message.bytes")
              && wanted != null
              && now != null
              && BrokerRule.number(now) >= BrokerRule.number(wanted);
      if (wanted != null && now != null && !wanted.equals(now) && !large) {
        red(name, setting + "=" + now, reason(setting), "set " + wanted);
      }
    }
    for (String bound : BOUNDS) {
      String kept = topic.settings().getOrDefault(bound, FOREVER);
      if (FOREVER.equals(plan.get(bound)) && !kept.equals(FOREVER)) {
        red(name, bound + "=" + kept, "the ledger forgets what happened", "set " + FOREVER);
      }
    }
  }

  private static String reason(String setting) {
    return switch (setting) {
      case "cleanup.policy" -> "what the newest record of a key says is lost, or kept for ever";
      case "message.timestamp.type" -> "shards take commands in the order of the brokers' time";
      default -> "what Millrace writes at most does not fit";
    };
  }

  private void partitions() {
    Topic commands = cluster.topics().get(Topics.COMMANDS);
    if (commands == null) {
      return;
    }
    int shards = commands.partitions().size();
    Map<String, Integer> wanted = new TreeMap<>(PlannedTopics.partitions(shards));
    wanted.forEach(
        (name, count) -> {
          Topic topic = cluster.topics().get(name);
          if (topic != null && topic.partitions().size() != count) {
            red(
                name,
                topic.partitions().size() + " partitions",
                "with " + shards + " shards there are to be " + count,
                "delete it if it is empty, ./millrace up makes it anew");
          }
        });
  }

  private void red(String topic, String what, String why, String cure) {
    found.add(new KafkaFinding(Weight.RED, "topic " + topic, what, why, cure));
  }
}
