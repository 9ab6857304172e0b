package io.millrace.connectors.local;

import io.millrace.connectors.local.order.DispatchConsumer;
import io.millrace.connectors.local.report.Heartbeat;
import io.millrace.connectors.local.report.LoadReporter;
import io.millrace.connectors.local.report.ReportSender;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What executors of hosts in one process share: what they say to the brokers goes over the same
 * connections and by the same threads. Each one reads its orders itself.
 */
public final class ExecutorGroup implements AutoCloseable {
  private final SchemaRegistry registry;
  private final String clusterId;
  private final RecordCodec codec;
  private final ReportSender sender;
  private final Heartbeat heartbeat;
  private final ScheduledExecutorService loads = LoadReporter.clock();

  private ExecutorGroup(
      Map<String, Object> kafka, String clusterId, SchemaRegistry registry, RecordCodec codec) {
    this.clusterId = clusterId;
    this.registry = registry;
    this.codec = codec;
    this.sender = new ReportSender(kafka, codec);
    this.heartbeat = new Heartbeat(kafka, codec);
    heartbeat.start();
  }

  /**
   * @param kafka client settings
   * @throws IOException in one line, when the brokers refuse or a schema is not registered
   */
  public static ExecutorGroup open(Map<String, Object> kafka) throws IOException {
    String clusterId = DispatchConsumer.clusterId(kafka);
    SchemaRegistry registry = null;
    try {
      registry = Codecs.registry(kafka);
      return new ExecutorGroup(kafka, clusterId, registry, Codecs.of(registry));
    } catch (RegistryException e) {
      if (registry != null) {
        registry.close();
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  String clusterId() {
    return clusterId;
  }

  RecordCodec codec() {
    return codec;
  }

  ReportSender sender() {
    return sender;
  }

  Heartbeat heartbeat() {
    return heartbeat;
  }

  ScheduledExecutorService loads() {
    return loads;
  }

  /** How many reports of all hosts the brokers have not acknowledged yet. */
  public long undelivered() {
    return sender.undelivered();
  }

  /** Ends when what was reported is delivered, or some seconds have passed. */
  @Override
  public void close() {
    heartbeat.close();
    loads.shutdownNow();
    sender.close();
    registry.close();
  }

  /** Returns when no report can be acknowledged any more. */
  public void awaitEnd() throws InterruptedException {
    sender.awaitEnd();
  }
}
