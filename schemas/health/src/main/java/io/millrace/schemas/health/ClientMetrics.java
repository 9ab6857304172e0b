package io.millrace.schemas.health;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Numbers that Kafka's clients keep anyway. */
public final class ClientMetrics {

  private static final String LAG = "records-lag";

  private ClientMetrics() {}

  /** The sum of all numbers of a name in a group that are known; 0 when none is. */
  public static double sum(Map<MetricName, ? extends Metric> all, String group, String name) {
    double sum = 0;
    for (Map.Entry<MetricName, ? extends Metric> each : all.entrySet()) {
      if (each.getKey().name().equals(name) && each.getKey().group().equals(group)) {
        sum += number(each.getValue());
      }
    }
    return sum;
  }

  /**
   * By partition, how many records consumers have not fetched, over those topics.
   *
   * @param topics names
   */
  public static Map<String, Double> lags(
      Map<MetricName, ? extends Metric> all, Collection<String> topics) {
    Map<String, Double> lags = new TreeMap<>();
    for (Map.Entry<MetricName, ? extends Metric> each : all.entrySet()) {
      MetricName name = each.getKey();
      if (name.name().equals(LAG) && topics.contains(name.tags().get("topic"))) {
        lags.merge(name.tags().get("partition"), number(each.getValue()), Double::sum);
      }
    }
    return lags;
  }

  /** What was never measured is not a number. */
  private static double number(Metric metric) {
    return metric.metricValue() instanceof Number value && Double.isFinite(value.doubleValue())
        ? value.doubleValue()
        : 0;
  }
}
