package io.millrace.ops.kafka;

import io.millrace.ops.kafka.KafkaFinding.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a setting of each broker should be.
 *
 * @param weight of a broker where it is not so
 * @param setting its name
 * @param good whether a value does
 * @param why what comes of another one
 * @param wanted the value to set
 */
record BrokerRule(
    Weight weight, String setting, Predicate<String> good, String why, String wanted) {

  /** What a server asks of a group: it is missed after so long. */
  private static final long SESSION_MS = 6_000;

  /** Kafka Streams' own bound of a transaction. */
  private static final long TRANSACTION_MS = 10_000;

  /** Jobs of a dead broker's partitions start again within four seconds. */
  private static final long MISSED_MS = 2_000;

  private static final long QUORUM_MS = 1_000;
  private static final long BACKOFF_MS = 200;

  /** About as long as it takes: Kafka's own 20 ms are a fifth of the rate of a busy shard. */
  private static final long NEXT_COMMIT_MS = 5;

  private static final long GROUP_MS = 500;
  private static final long DAY_MS = 86_400_000;
  private static final long WEEK_MINUTES = 7 * 24 * 60;
  private static final int COPIES = 3;

  /** Largest request: a transaction's batches of records of 2 MiB. */
  private static final long REQUEST_BYTES = 8 << 20;

  static final List<BrokerRule> ALL =
      List.of(
          atLeast(
              Weight.RED,
              "default.replication.factor",
              COPIES,
              "new topics have so many copies, and with one a lost disk loses jobs"),
          atLeast(
              Weight.RED,
              "min.insync.replicas",
              2,
              "what is acknowledged may be on one disk alone"),
          atLeast(
              Weight.RED,
              "transaction.state.log.replication.factor",
              COPIES,
              "when a broker with it is lost no shard can commit"),
          atLeast(
              Weight.RED, "transaction.state.log.min.isr", 2, "a commit may be on one disk alone"),
          atLeast(
              Weight.RED,
              "offsets.topic.replication.factor",
              COPIES,
              "when a broker with it is lost the shards' positions are"),
          new BrokerRule(
              Weight.RED,
              "unclean.leader.election.enable",
              "false"::equals,
              "a broker that missed records may lead, and jobs that were accepted vanish",
              "false"),
          new BrokerRule(
              Weight.RED,
              "group.min.session.timeout.ms",
              value -> number(value) <= SESSION_MS,
              "servers ask for 6000 and are refused",
              "6000 or less"),
          atLeast(
              Weight.RED,
              "group.max.session.timeout.ms",
              SESSION_MS,
              "servers ask for 6000 and are refused"),
          atLeast(
              Weight.RED,
              "transaction.max.timeout.ms",
              TRANSACTION_MS,
              "servers ask for transactions of 10000 and are refused"),
          atLeast(
              Weight.RED,
              "transactional.id.expiration.ms",
              DAY_MS,
              "a server that was idle for so long loses its transactions' name"),
          atLeast(
              Weight.RED,
              "offsets.retention.minutes",
              WEEK_MINUTES,
              "without a server for so long the shards' positions in their inboxes are forgotten"),
          atLeast(
              Weight.RED,
              "socket.request.max.bytes",
              REQUEST_BYTES,
              "large scripts and arrays do not get through"),
          new BrokerRule(
              Weight.NOTE,
              "auto.create.topics.enable",
              "false"::equals,
              "a client that comes too early makes topics with other settings",
              "false"),
          new BrokerRule(
              Weight.NOTE,
              "authorizer.class.name",
              value -> !value.isEmpty(),
              "whoever reaches the brokers may write facts",
              "Kafka's StandardAuthorizer, and the rules of ./millrace acls"),
          new BrokerRule(
              Weight.NOTE,
              "broker.session.timeout.ms",
              value -> number(value) <= MISSED_MS,
              "partitions of a dead broker have no leader for so long, and their jobs wait",
              MISSED_MS + ", with broker.heartbeat.interval.ms=400"),
          new BrokerRule(
              Weight.NOTE,
              "controller.quorum.fetch.timeout.ms",
              value -> number(value) <= QUORUM_MS,
              "a controller that dies is missed after so long, before any broker is",
              QUORUM_MS + " where the controllers are near each other"),
          new BrokerRule(
              Weight.NOTE,
              "replica.fetch.backoff.ms",
              value -> number(value) <= BACKOFF_MS,
              "a follower that asks a new leader too early asks again only after so long, and"
                  + " commits wait for it",
              BACKOFF_MS + " or less"),
          new BrokerRule(
              Weight.NOTE,
              "add.partitions.to.txn.retry.backoff.ms",
              value -> number(value) <= NEXT_COMMIT_MS,
              "a shard's next transaction looks only so often whether the one before has reached"
                  + " all copies",
              "2"),
          new BrokerRule(
              Weight.NOTE,
              "group.coordinator.append.linger.ms",
              value -> number(value) <= 0,
              "each transaction of a shard waits so long for the positions that it commits",
              "0"),
          new BrokerRule(
              Weight.NOTE,
              "group.initial.rebalance.delay.ms",
              value -> number(value) <= GROUP_MS,
              "the first server that comes gets its shards only after so long",
              "0: servers that come later get theirs all the same"));

  private static BrokerRule atLeast(Weight weight, String setting, long least, String why) {
    return new BrokerRule(
        weight, setting, value -> number(value) >= least, why, least + " or more");
  }

  /** A setting that is no number is not judged by its size. */
  static long number(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A finding for each value that does not do, with all brokers that have it. */
  List<KafkaFinding> findings(SortedMap<Integer, Map<String, String>> brokers) {
    SortedMap<String, List<Integer>> byValue = new TreeMap<>();
    brokers.forEach(
        (number, settings) -> {
          String value = settings.get(setting);
          if (value == null && !setting.equals("authorizer.class.name")) {
            return; // an older or newer broker, which has no such setting
          }
          String known = value == null ? "" : value;
          if (!good.test(known)) {
            byValue.merge(known, List.of(number), BrokerRule::both);
          }
        });
    return byValue.entrySet().stream()
        .map(
            it ->
                new KafkaFinding(
                    weight,
                    (it.getValue().size() == 1 ? "broker " : "brokers ") + words(it.getValue()),
                    setting + "=" + it.getKey(),
                    why,
                    "set " + wanted))
        .toList();
  }

  private static List<Integer> both(List<Integer> some, List<Integer> more) {
    List<Integer> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private static String words(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
