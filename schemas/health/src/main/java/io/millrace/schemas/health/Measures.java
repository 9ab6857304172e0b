package io.millrace.schemas.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.MetricWithFixedMetadata;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The numbers of a process. Whoever counts neither waits nor reads a store; whoever asks costs
 * nobody else anything. For all threads.
 */
public final class Measures {

  /** Media type of {@link #text}. */
  public static final String TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  /** Most series of one number; what would be one more is left out. */
  static final int SERIES_MAX = 2_000;

  private static final double[] BOUNDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600
  };

  private static final Measures PROCESS = new Measures();

  private final Map<Metric, Counter> counters = new EnumMap<>(Metric.class);
  private final Map<Metric, Gauge> gauges = new EnumMap<>(Metric.class);
  private final Map<Metric, Histogram> histograms = new EnumMap<>(Metric.class);
  private final Map<Metric, MetricWithFixedMetadata> asked = new ConcurrentHashMap<>();
  private final Map<Metric, Set<List<String>>> series = new EnumMap<>(Metric.class);

  /** None yet. */
  public Measures() {
    for (Metric metric : Metric.values()) {
      String[] labels = metric.labels().toArray(new String[0]);
      series.put(metric, ConcurrentHashMap.newKeySet());
      switch (metric.kind()) {
        case COUNTER ->
            counters.put(
                metric,
                Counter.builder()
                    .name(metric.text())
                    .help(metric.meaning())
                    .labelNames(labels)
                    .withoutExemplars()
                    .build());
        case GAUGE ->
            gauges.put(
                metric,
                Gauge.builder()
                    .name(metric.text())
                    .help(metric.meaning())
                    .labelNames(labels)
                    .withoutExemplars()
                    .build());
        case HISTOGRAM ->
            histograms.put(
                metric,
                Histogram.builder()
                    .name(metric.text())
                    .help(metric.meaning())
                    .labelNames(labels)
                    .classicOnly()
                    .classicUpperBounds(BOUNDS)
                    .withoutExemplars()
                    .build());
      }
    }
  }

  /** Those of this process. */
  public static Measures ofProcess() {
    return PROCESS;
  }

  /** One more of a counter. */
  public void count(Metric metric, String... labels) {
    count(metric, 1, labels);
  }

  /** Some more of a counter. */
  public void count(Metric metric, long more, String... labels) {
    if (admitted(metric, labels)) {
      counters.get(metric).labelValues(labels).inc(more);
    }
  }

  /** One value of a histogram. */
  public void observe(Metric metric, double value, String... labels) {
    if (admitted(metric, labels)) {
      histograms.get(metric).labelValues(labels).observe(value);
    }
  }

  /** What a gauge is from now on. */
  public void set(Metric metric, double value, String... labels) {
    if (admitted(metric, labels)) {
      gauges.get(metric).labelValues(labels).set(value);
    }
  }

  /** A gauge's series is there no more. */
  public void drop(Metric metric, String... labels) {
    if (series.get(metric).remove(List.of(labels))) {
      gauges.get(metric).remove(labels);
    }
  }

  private boolean admitted(Metric metric, String... labels) {
    if (labels.length == 0) {
      return true;
    }
    Set<List<String>> known = series.get(metric);
    List<String> these = List.of(labels);
    return known.contains(these) || known.size() < SERIES_MAX && known.add(these);
  }

  /** Takes one value of a number. */
  public interface MeasureReceiver {
    void is(double value, String... labels);
  }

  /**
   * From now on a counter or gauge is what the source answers when somebody asks.
   *
   * @param source quick, and callable from any thread
   */
  public void answer(Metric metric, Consumer<MeasureReceiver> source) {
    String[] labels = metric.labels().toArray(new String[0]);
    asked.put(
        metric,
        metric.kind() == Metric.MetricKind.COUNTER
            ? CounterWithCallback.builder()
                .name(metric.text())
                .help(metric.meaning())
                .labelNames(labels)
                .callback(into -> source.accept(into::call))
                .build()
            : GaugeWithCallback.builder()
                .name(metric.text())
                .help(metric.meaning())
                .labelNames(labels)
                .callback(into -> source.accept(into::call))
                .build());
  }

  /** All numbers of a kind of parts as they are now. */
  MetricSnapshots snapshots(PartKind part) {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    for (Metric metric : Metric.values()) {
      if (metric.parts().contains(part)) {
        MetricSnapshot one = source(metric).collect();
        if (!one.getDataPoints().isEmpty()) {
          all.metricSnapshot(one);
        }
      }
    }
    return all.build();
  }

  /** The same as text for Prometheus. */
  public byte[] text(PartKind part) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(text, snapshots(part));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }

  private MetricWithFixedMetadata source(Metric metric) {
    MetricWithFixedMetadata answered = asked.get(metric);
    if (answered != null) {
      return answered;
    }
    return switch (metric.kind()) {
      case COUNTER -> counters.get(metric);
      case GAUGE -> gauges.get(metric);
      case HISTOGRAM -> histograms.get(metric);
    };
  }
}
