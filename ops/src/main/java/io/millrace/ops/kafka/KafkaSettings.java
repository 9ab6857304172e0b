package io.millrace.ops.kafka;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What a cluster says of itself.
 *
 * @param brokers their settings, by number
 * @param topics those of Millrace and of Kafka itself that are there, by name
 * @param features versions that all brokers have agreed on, by name
 * @param clockAheadMs how far its clock is surely ahead of this host's; less than 0: behind
 */
record KafkaSettings(
    SortedMap<Integer, Map<String, String>> brokers,
    SortedMap<String, Topic> topics,
    Map<String, Integer> features,
    long clockAheadMs) {

  /**
   * A topic.
   *
   * @param partitions by their number
   * @param settings as they are in force
   */
  record Topic(List<Partition> partitions, Map<String, String> settings) {}

  /**
   * A partition.
   *
   * @param copies brokers that should have it, the one that usually leads first
   * @param inSync brokers that have all of it
   * @param led whether it has a leader
   */
  record Partition(List<Integer> copies, int inSync, boolean led) {}
}
