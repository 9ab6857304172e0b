package io.millrace.connectors.connect;

import java.util.LinkedHashMap;
import java.util.function.Supplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;

/** What a task lets Connect measure. A task that goes on trying is running for Connect. */
final class TaskMetrics {

  private TaskMetrics() {}

  static <T> void add(PluginMetrics metrics, String name, String sentence, Supplier<T> value) {
    Gauge<T> gauge = (config, now) -> value.get();
    metrics.addMetric(metrics.metricName(name, sentence, new LinkedHashMap<>()), gauge);
  }

  /**
   * @param obstacle in one line; empty for none
   */
  static void addObstacle(PluginMetrics metrics, Supplier<String> obstacle) {
    add(metrics, "obstacle", "What is in the way of the task; empty for nothing.", obstacle);
  }
}
