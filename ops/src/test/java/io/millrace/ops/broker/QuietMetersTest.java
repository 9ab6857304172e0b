package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.yammer.metrics.core.Meter;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuietMetersTest {

  private static Meter meter(MetricsRegistry registry, String name) {
    return registry.newMeter(
        new MetricName("broker", "requests", name), "requests", TimeUnit.SECONDS);
  }

  private static ScheduledThreadPoolExecutor pool(MetricsRegistry registry) {
    return (ScheduledThreadPoolExecutor) registry.newScheduledThreadPool(2, "meter-tick");
  }

  @Test
  void metersCountAndNoThreadWindsThem() {
    MetricsRegistry registry = new MetricsRegistry();
    QuietMeters.in(registry);
    Meter meter = meter(registry, "fetched");
    meter.mark(3);
    assertEquals(3, meter.count());
    assertEquals(1, pool(registry).getQueue().size());
    assertEquals(0, pool(registry).getPoolSize());
    meter.stop();
    assertTrue(pool(registry).getQueue().isEmpty(), "a meter that has gone is kept");
  }

  @Test
  void withoutItThereIsOne() {
    MetricsRegistry registry = new MetricsRegistry();
    meter(registry, "fetched");
    assertFalse(pool(registry).getPoolSize() == 0, "the pool has another name now");
    registry.shutdown();
  }
}
