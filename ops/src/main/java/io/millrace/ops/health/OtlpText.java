package io.millrace.ops.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers as the body of an OTLP request, in the JSON form of its protocol: counters are sums since
 * the process began, 64-bit numbers are texts.
 */
final class OtlpText {

  /** In the protocol: since the beginning, not since the last time. */
  private static final int CUMULATIVE = 2;

  private static final long NANOS_PER_MS = 1_000_000;

  private final JsonNodeFactory json = JsonNodeFactory.instance;
  private final Map<String, String> resource;
  private final String begunNanos;

  /**
   * @param resource who sends: names and values
   * @param begunMs when its process began
   */
  OtlpText(Map<String, String> resource, long begunMs) {
    this.resource = new TreeMap<>(resource);
    this.begunNanos = nanos(begunMs);
  }

  private static String nanos(long ms) {
    return Long.toString(ms * NANOS_PER_MS);
  }

  /** The request for numbers of a moment. */
  String of(MetricSnapshots numbers, long nowMs) {
    ObjectNode root = json.objectNode();
    ObjectNode one = root.putArray("resourceMetrics").addObject();
    attributes(one.putObject("resource"), resource);
    ObjectNode scope = one.putArray("scopeMetrics").addObject();
    scope.putObject("scope").put("name", "millrace");
    ArrayNode metrics = scope.putArray("metrics");
    for (MetricSnapshot number : numbers) {
      metric(metrics.addObject(), number, nanos(nowMs));
    }
    return root.toString();
  }

  private void attributes(ObjectNode of, Map<String, String> values) {
    ArrayNode attributes = of.putArray("attributes");
    values.forEach(
        (name, value) ->
            attributes.addObject().put("key", name).putObject("value").put("stringValue", value));
  }

  private void metric(ObjectNode into, MetricSnapshot number, String now) {
    into.put("name", number.getMetadata().getPrometheusName());
    into.put("description", number.getMetadata().getHelp());
    if (number instanceof GaugeSnapshot gauge) {
      ArrayNode points = into.putObject("gauge").putArray("dataPoints");
      gauge.getDataPoints().forEach(it -> point(points, it, now).put("asDouble", it.getValue()));
    } else if (number instanceof CounterSnapshot counter) {
      ObjectNode sum = cumulative(into.putObject("sum")).put("isMonotonic", true);
      ArrayNode points = sum.putArray("dataPoints");
      counter.getDataPoints().forEach(it -> since(points, it, now).put("asDouble", it.getValue()));
    } else if (number instanceof HistogramSnapshot histogram) {
      ArrayNode points = cumulative(into.putObject("histogram")).putArray("dataPoints");
      histogram.getDataPoints().forEach(it -> histogram(since(points, it, now), it));
    }
  }

  private static ObjectNode cumulative(ObjectNode into) {
    return into.put("aggregationTemporality", CUMULATIVE);
  }

  private ObjectNode point(ArrayNode points, DataPointSnapshot snapshot, String now) {
    ObjectNode point = points.addObject();
    Map<String, String> labels = new TreeMap<>();
    for (Label label : snapshot.getLabels()) {
      labels.put(label.getName(), label.getValue());
    }
    attributes(point, labels);
    return point.put("timeUnixNano", now);
  }

  private ObjectNode since(ArrayNode points, DataPointSnapshot snapshot, String now) {
    return point(points, snapshot, now).put("startTimeUnixNano", begunNanos);
  }

  private static void histogram(
      ObjectNode into, HistogramSnapshot.HistogramDataPointSnapshot snapshot) {
    ClassicHistogramBuckets buckets = snapshot.getClassicBuckets();
    ArrayNode counts = into.putArray("bucketCounts");
    ArrayNode bounds = into.putArray("explicitBounds");
    long all = 0;
    for (int i = 0; i < buckets.size(); i++) {
      all += buckets.getCount(i);
      counts.add(Long.toString(buckets.getCount(i)));
      if (!Double.isInfinite(buckets.getUpperBound(i))) {
        bounds.add(buckets.getUpperBound(i));
      }
    }
    into.put("count", Long.toString(all)).put("sum", snapshot.getSum());
  }
}
