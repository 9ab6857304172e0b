package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.yammer.metrics.core.Histogram;
import com.yammer.metrics.core.Metric;
import com.yammer.metrics.core.MetricName;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.network.metrics.RequestMetrics;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.junit.jupiter.api.Test;

class RequestSamplesTest {

  @Test
  void kafkaTakesTheHistogramsThatAreRegisteredAndHasNoOthers() {
    RequestSamples.register();
    Map<String, Metric> registered = histograms();
    assertEquals(
        RequestSamples.REQUESTS.size() * RequestSamples.HISTOGRAMS.size(), registered.size());
    for (String request : RequestSamples.REQUESTS) {
      RequestMetrics metrics = new RequestMetrics(request);
      assertSame(registered.get("TotalTimeMs of " + request), metrics.totalTimeHist);
    }
    Set<String> others = new TreeSet<>(histograms().keySet());
    others.removeAll(registered.keySet());
    // Kafka has these for two requests, and writes into them for clients of old versions only.
    assertEquals(
        Set.of(
            "MessageConversionsTimeMs of Fetch",
            "MessageConversionsTimeMs of Produce",
            "TemporaryMemoryBytes of Fetch",
            "TemporaryMemoryBytes of Produce"),
        others);
  }

  private static Map<String, Metric> histograms() {
    return KafkaYammerMetrics.defaultRegistry().allMetrics().entrySet().stream()
        .filter(it -> it.getKey().getType().equals("RequestMetrics"))
        .filter(it -> it.getValue() instanceof Histogram)
        .collect(Collectors.toMap(it -> words(it.getKey()), Map.Entry::getValue));
  }

  private static String words(MetricName name) {
    return name.getName() + " of " + name.getMBeanName().replaceFirst(".*request=", "");
  }
}
