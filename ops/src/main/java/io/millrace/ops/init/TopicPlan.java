package io.millrace.ops.init;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.server.streams.StoreLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The topics that are made at initialisation. Of the tables' changelogs see {@link ShardPlaces}.
 *
 * @param partitions fixed: a shard is a partition
 */
record TopicPlan(String name, int partitions, Map<String, String> configs) {

  private static final String FOREVER = "-1";

  static List<TopicPlan> of(int shards) {
    List<TopicPlan> plans = new ArrayList<>();
    for (CommandFamily family : CommandFamily.values()) {
      // Stamped by the broker: a shard takes the records of all families in the order of time.
      plans.add(
          new TopicPlan(
              family.topic(),
              shards,
              configs("message.timestamp.type", "LogAppendTime", "retention.ms", days(30))));
    }
    plans.addAll(others(shards));
    return List.copyOf(plans);
  }

  private static List<TopicPlan> others(int shards) {
    return List.of(
        new TopicPlan(
            Topics.LEDGER, shards, configs("retention.ms", FOREVER, "retention.bytes", FOREVER)),
        new TopicPlan(
            Topics.REPLIES,
            Topics.REPLY_PARTITIONS,
            configs("retention.ms", hours(1), "segment.ms", hours(1))),
        // An executor that was away for longer than this has lost its orders and logs that; their
        // runs stay granted until they are deleted or rerun.
        new TopicPlan(
            Topics.DISPATCH,
            Topics.DISPATCH_PARTITIONS,
            configs("retention.ms", days(1), "segment.ms", hours(6))),
        new TopicPlan(
            Topics.CLUSTER, 1, configs("cleanup.policy", "compact", "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.SCHEMAS, 1, configs("cleanup.policy", "compact", "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.OUTSIDE_JOBS, 1, configs("cleanup.policy", "compact", "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.OUTSIDE_NODES,
            1,
            configs("cleanup.policy", "compact", "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.HEARTBEATS,
            1,
            configs("retention.ms", hours(1), "segment.ms", hours(1), "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.ENGINE_BEATS,
            1,
            configs("retention.ms", hours(1), "segment.ms", hours(1), "segment.bytes", mib(16))),
        new TopicPlan(
            Topics.CYCLES,
            1,
            configs("retention.ms", days(7), "retention.bytes", mib(64), "segment.bytes", mib(16))),
        new TopicPlan(Topics.DEAD_LETTERS, shards, configs("retention.ms", days(30))),
        new TopicPlan(
            Topics.CAMPAIGN_COMMANDS,
            1,
            configs("max.message.bytes", wholeCampaign(), "retention.ms", days(30))),
        new TopicPlan(Topics.CAMPAIGN_REPORTS, 1, configs("retention.ms", days(30))),
        // Tasks of an answer that is lost would be taken for sent for ever.
        new TopicPlan(Topics.CAMPAIGN_ANSWERS, 1, configs("retention.ms", days(30))),
        new TopicPlan(
            Topics.CAMPAIGN_LEDGER,
            1,
            configs(
                "max.message.bytes",
                wholeCampaign(),
                "retention.ms",
                FOREVER,
                "retention.bytes",
                FOREVER)));
  }

  /** Whether its partitions are those of the shards, of which a transaction writes to many. */
  boolean ofShards() {
    return name.equals(Topics.LEDGER)
        || name.equals(Topics.DEAD_LETTERS)
        || StoreLayout.changelogs().contains(name)
        || CommandFamily.ofTopic(name).isPresent();
  }

  /** The tables' changelogs, which are made ahead where it is said where their copies are. */
  static List<TopicPlan> tables(int shards) {
    return StoreLayout.changelogs().stream()
        .map(name -> new TopicPlan(name, shards, StoreLayout.changelogSettings()))
        .toList();
  }

  NewTopic topic() {
    return new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
  }

  /**
   * @param places brokers with the copies of each partition, the leader first
   */
  NewTopic topic(Map<Integer, List<Integer>> places) {
    return new NewTopic(name, places).configs(configs);
  }

  private static Map<String, String> configs(String... pairs) {
    Map<String, String> configs = new LinkedHashMap<>();
    configs.put("max.message.bytes", Integer.toString(Topics.MESSAGE_BYTES_MAX));
    for (int i = 0; i < pairs.length; i += 2) {
      configs.put(pairs[i], pairs[i + 1]);
    }
    return configs;
  }

  private static String wholeCampaign() {
    return Integer.toString(Topics.CAMPAIGN_BYTES_MAX);
  }

  private static String days(int days) {
    return Long.toString(Duration.ofDays(days).toMillis());
  }

  private static String hours(int hours) {
    return Long.toString(Duration.ofHours(hours).toMillis());
  }

  private static String mib(int mib) {
    return Integer.toString(mib << 20);
  }
}
