package io.millrace.server.streams;

import io.millrace.schemas.Topics;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Which store holds which table. Tables that consumers read have a store, and so a topic, of their
 * own; the others share one, with the table's name in front of the key: every store costs each
 * shard an open database.
 */
public final class StoreLayout {
  /** Tables whose changelogs are public topics. */
  private static final Set<String> PUBLIC =
      Set.of("jobs", "nodes", "queues", "reservations", "wholes", "schedulers", "objects");

  private static final String SHARED = "shard";

  /** Settings of the changelogs. */
  static final Map<String, String> CHANGELOG =
      Map.of(
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
          String.valueOf(Topics.MESSAGE_BYTES_MAX),
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
          "0.3");

  private StoreLayout() {}

  /** Topics with the changelogs, as Kafka Streams names them: a partition for each shard. */
  public static List<String> changelogs() {
    return stores().stream().map(Topics::table).toList();
  }

  /** Settings with which Kafka Streams makes these topics where they are not there. */
  public static Map<String, String> changelogSettings() {
    Map<String, String> all = new TreeMap<>(CHANGELOG);
    all.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    all.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
    return all;
  }

  static List<String> stores() {
    return Tables.NAMES.stream().map(StoreLayout::store).distinct().toList();
  }

  static String store(String table) {
    return PUBLIC.contains(table) ? table : SHARED;
  }

  /** What stands before the key of a table's record in its store. */
  static String prefix(String table) {
    return PUBLIC.contains(table) ? "" : table + "/";
  }
}
