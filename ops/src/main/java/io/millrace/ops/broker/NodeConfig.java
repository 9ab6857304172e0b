package io.millrace.ops.broker;

import java.util.Properties;
import kafka.server.KafkaConfig;

/**
 * Configuration of the one node: its broker tells its controller often that it lives while it
 * starts, because each step of the start is the answer to such a message, and seldom afterwards,
 * because nobody could take over from it.
 */
final class NodeConfig extends KafkaConfig {

  /** A tenth of the session's timeout. */
  static final int SERVING_HEARTBEAT_MS = 30_000;

  private volatile boolean serving;

  NodeConfig(Properties settings) {
    super(settings, false);
  }

  /** The broker has started. */
  void serving() {
    serving = true;
  }

  @Override
  public int brokerHeartbeatIntervalMs() {
    return serving ? SERVING_HEARTBEAT_MS : super.brokerHeartbeatIntervalMs();
  }
}
