package io.millrace.ops.broker;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.network.metrics.RequestMetrics;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;

/**
 * Histograms of what the broker's requests take, of those that a job needs. Kafka's own are a
 * sorted map of the last five minutes into which each request writes nine times, a fifth of the
 * processor time of the threads that answer requests; these take a sample of all requests since the
 * start, which costs a write to an array. Kafka uses what is registered under a histogram's name
 * when it asks for it, so they are registered before the broker starts.
 */
final class RequestSamples {

  /** The request that a job's way through the broker consists of. */
  static final List<String> REQUESTS =
      List.of(
          ApiKeys.PRODUCE.name,
          ApiKeys.FETCH.name,
          RequestMetrics.CONSUMER_FETCH_METRIC_NAME,
          ApiKeys.ADD_PARTITIONS_TO_TXN.name,
          ApiKeys.TXN_OFFSET_COMMIT.name,
          ApiKeys.END_TXN.name,
          ApiKeys.WRITE_TXN_MARKERS.name);

  /** Milliseconds, but for the bytes. Names of {@link RequestMetrics}, which keeps them private. */
  static final List<String> HISTOGRAMS =
      List.of(
          "RequestQueueTimeMs",
          "LocalTimeMs",
          "RemoteTimeMs",
          "ThrottleTimeMs",
          "ResponseQueueTimeMs",
          "ResponseSendTimeMs",
          "TotalTimeMs",
          "RequestBytes");

  private RequestSamples() {}

  static void register() {
    KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.network", "RequestMetrics");
    for (String request : REQUESTS) {
      for (String histogram : HISTOGRAMS) {
        KafkaYammerMetrics.defaultRegistry()
            .newHistogram(group.metricName(histogram, Map.of("request", request)), false);
      }
    }
  }
}
