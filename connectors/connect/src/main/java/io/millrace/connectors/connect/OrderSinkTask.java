package io.millrace.connectors.connect;

import io.millrace.connectors.forward.ServedCluster;
import io.millrace.connectors.forward.ServedTerms;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/**
 * Hosts the nodes of one cluster. Their executors read the orders themselves, from positions that
 * are written with the runs; what Connect delivers only says how far they could be, and the offsets
 * that it keeps say how far they are.
 */
public final class OrderSinkTask extends SinkTask {

  /** How often Connect looks after the task while there are no orders. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ClusterOpening opening;
  private HostedCluster cluster;

  /** Takes the cluster of the terms. */
  interface ClusterOpening {
    ServedCluster open(ServedTerms terms, Runnable waiting) throws IOException;
  }

  /** Connect makes it so. */
  public OrderSinkTask() {
    this(ServedCluster::open);
  }

  OrderSinkTask(ClusterOpening opening) {
    this.opening = opening;
  }

  @Override
  public String version() {
    return PluginVersion.text();
  }

  @Override
  public void start(Map<String, String> settings) {
    ServedTerms terms = new ConnectorSettings(ConnectSide.SINK, settings).terms();
    cluster = new HostedCluster(terms.file().name(), waiting -> opening.open(terms, waiting));
    TaskMetrics.addObstacle(context.pluginMetrics(), cluster::obstacle);
    cluster.start();
  }

  /**
   * @throws ConnectException in one line, when the cluster cannot be served any more
   */
  @Override
  public void put(Collection<SinkRecord> records) {
    if (!cluster.failure().isEmpty()) {
      throw new ConnectException(cluster.failure());
    }
    context.timeout(LOOK.toMillis());
  }

  /**
   * What no executor of the cluster would read again. While that is not known, as before all hosts
   * that were served earlier are served again, nothing is committed: what was delivered meanwhile
   * is the backlog.
   */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> delivered) {
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    delivered.forEach(
        (partition, offset) ->
            cluster
                .carriedOut(partition.partition(), offset.offset())
                .ifPresent(next -> done.put(partition, new OffsetAndMetadata(next))));
    return done;
  }

  @Override
  public void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }
}
