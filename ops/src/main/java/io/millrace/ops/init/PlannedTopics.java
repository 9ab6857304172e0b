package io.millrace.ops.init;

import io.millrace.schemas.Topics;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The topics that an initialisation makes, for whoever looks at a cluster. */
public final class PlannedTopics {

  private PlannedTopics() {}

  public static List<String> names() {
    return plans(Topics.DEFAULT_SHARDS).stream().map(TopicPlan::name).toList();
  }

  /**
   * How many partitions each has.
   *
   * @param shards of the cluster
   */
  public static Map<String, Integer> partitions(int shards) {
    return plans(shards).stream().collect(Collectors.toMap(TopicPlan::name, TopicPlan::partitions));
  }

  /** Settings that each is made with. */
  public static Map<String, Map<String, String>> settings() {
    return plans(Topics.DEFAULT_SHARDS).stream()
        .collect(Collectors.toMap(TopicPlan::name, TopicPlan::configs));
  }

  /** Topics whose partitions are the shards, the tables' changelogs among them. */
  public static List<String> ofShards() {
    return Stream.concat(
            plans(Topics.DEFAULT_SHARDS).stream().filter(TopicPlan::ofShards),
            TopicPlan.tables(Topics.DEFAULT_SHARDS).stream())
        .map(TopicPlan::name)
        .toList();
  }

  private static List<TopicPlan> plans(int shards) {
    return TopicPlan.of(shards);
  }
}
