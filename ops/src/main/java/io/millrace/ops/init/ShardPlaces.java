package io.millrace.ops.init;

import io.millrace.schemas.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * On which brokers the topics of the shards are. A transaction of a shard writes to its partition
 * of the ledger and of several tables. Each broker that leads one of them adds it to the
 * transaction, one after the other, and writes a mark at its end; so all partitions of a shard are
 * where its ledger is. The controller chooses that place.
 */
final class ShardPlaces {

  /** A topic that was just made is known to all brokers within it. */
  private static final long KNOWN_MS = 30_000;

  private static final long LOOK_MS = 50;

  private final Admin admin;

  ShardPlaces(Admin admin) {
    this.admin = admin;
  }

  /** Makes topics of which some may have been made since by others. */
  void make(List<TopicPlan> missing, int shards)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (admin.describeCluster().nodes().get().size() == 1) {
      create(missing.stream().map(TopicPlan::topic).toList());
      return;
    }
    create(
        missing.stream()
            .filter(plan -> plan.name().equals(Topics.LEDGER))
            .map(TopicPlan::topic)
            .toList());
    List<TopicPlan> rest = new ArrayList<>(missing);
    rest.removeIf(plan -> plan.name().equals(Topics.LEDGER));
    rest.addAll(tables(shards));
    Map<Integer, List<Integer>> places = rest.isEmpty() ? Map.of() : places();
    create(rest.stream().map(plan -> topic(plan, places)).toList());
  }

  /**
   * Orders are where the ledger of the first shard is, which has all hosts unless somebody divides
   * them.
   */
  static NewTopic topic(TopicPlan plan, Map<Integer, List<Integer>> places) {
    if (plan.ofShards()) {
      return plan.topic(places);
    }
    if (!plan.name().equals(Topics.DISPATCH)) {
      return plan.topic();
    }
    Map<Integer, List<Integer>> first = new TreeMap<>();
    for (int partition = 0; partition < plan.partitions(); partition++) {
      first.put(partition, places.get(Topics.ADMINISTRATIVE_SHARD));
    }
    return plan.topic(first);
  }

  /** Those of the tables that are not there. */
  private List<TopicPlan> tables(int shards) throws ExecutionException, InterruptedException {
    Set<String> there = admin.listTopics().names().get();
    return TopicPlan.tables(shards).stream().filter(plan -> !there.contains(plan.name())).toList();
  }

  private void create(Collection<NewTopic> topics) throws ExecutionException, InterruptedException {
    try {
      admin.createTopics(topics).all().get();
    } catch (ExecutionException e) {
      // A concurrent initialisation has created the same topic.
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  /** Brokers with the copies of the ledger, the usual leader first. */
  private Map<Integer, List<Integer>> places()
      throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KNOWN_MS);
    while (System.nanoTime() < deadline) {
      try {
        return places(
            admin.describeTopics(Set.of(Topics.LEDGER)).allTopicNames().get().get(Topics.LEDGER));
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    }
    throw new TimeoutException("the brokers do not know the topic " + Topics.LEDGER);
  }

  static Map<Integer, List<Integer>> places(TopicDescription ledger) {
    Map<Integer, List<Integer>> places = new TreeMap<>();
    ledger
        .partitions()
        .forEach(it -> places.put(it.partition(), it.replicas().stream().map(Node::id).toList()));
    return places;
  }
}
