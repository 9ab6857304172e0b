package io.millrace.server.streams.measure;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.health.ClientMetrics;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricName;

/** The numbers of a server that Kafka Streams and the heartbeats have anyway. */
public final class StreamsMeasures {

  private static final List<String> INBOXES =
      Stream.of(CommandFamily.values()).map(CommandFamily::topic).toList();

  private static final String THREADS = "stream-thread-metrics";
  private static final String PRODUCERS = "producer-metrics";

  private StreamsMeasures() {}

  /**
   * Has them answered from now on.
   *
   * @param metrics of Kafka Streams
   * @param executors how many were heard just now
   */
  public static void answer(
      Measures measures,
      Supplier<Map<MetricName, ? extends org.apache.kafka.common.Metric>> metrics,
      LongSupplier executors) {
    measures.answer(
        Metric.INBOX_LAG,
        into ->
            ClientMetrics.lags(metrics.get(), INBOXES)
                .forEach((shard, records) -> into.is(records, shard)));
    measures.answer(
        Metric.TRANSACTIONS,
        into -> into.is(ClientMetrics.sum(metrics.get(), THREADS, "commit-total")));
    measures.answer(
        Metric.TRANSACTION_TIME,
        into ->
            into.is(
                ClientMetrics.sum(metrics.get(), PRODUCERS, "txn-commit-time-ns-total")
                    / TimeUnit.SECONDS.toNanos(1)));
    measures.answer(
        Metric.SEND_RETRIES,
        into -> into.is(ClientMetrics.sum(metrics.get(), PRODUCERS, "record-retry-total")));
    measures.answer(Metric.EXECUTORS_HEARD, into -> into.is(executors.getAsLong()));
  }
}
