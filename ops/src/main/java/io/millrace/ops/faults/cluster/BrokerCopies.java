package io.millrace.ops.faults.cluster;

import io.millrace.ops.kafka.BriefClient;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether all brokers serve and each has all that was acknowledged. */
final class BrokerCopies implements AutoCloseable {

  private static final long LOOK_MS = 300;

  private final Admin admin;
  private final int brokers;

  /**
   * @param client settings of an administrator
   * @param brokers how many there are
   */
  BrokerCopies(Map<String, Object> client, int brokers) {
    this.admin = Admin.create(BriefClient.of(client));
    this.brokers = brokers;
  }

  /**
   * Waits until it is so.
   *
   * @throws IOException with what is missing, when the time is up
   */
  void awaitWhole(long patienceMs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    String missing = missing();
    while (!missing.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(missing + " after " + patienceMs / 1000 + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      missing = missing();
    }
  }

  private String missing() throws InterruptedException {
    try {
      int there = admin.describeCluster().nodes().get().size();
      if (there < brokers) {
        return there + " of " + brokers + " brokers serve";
      }
      Set<String> topics =
          admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
      for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
        if (topic.partitions().stream().anyMatch(it -> it.isr().size() < it.replicas().size())) {
          return "topic " + topic.name() + " is not everywhere";
        }
      }
      return "";
    } catch (ExecutionException e) {
      return "the brokers do not answer: " + e.getCause().getMessage();
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
