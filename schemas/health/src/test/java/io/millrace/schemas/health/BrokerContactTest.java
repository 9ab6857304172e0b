package io.millrace.schemas.health;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class BrokerContactTest {
  private final BrokerContact contact = new BrokerContact(Duration.ofSeconds(15));
  private final Map<MetricName, KafkaMetric> numbers = new HashMap<>();
  private long seconds;

  private boolean look(int connections, int answers) {
    put("connection-count", connections);
    put("response-total", answers);
    seconds++;
    return contact.is(numbers, TimeUnit.SECONDS.toNanos(seconds));
  }

  private void put(String name, double value) {
    MetricName full = new MetricName(name, "consumer-metrics", "", Map.of());
    Measurable measured = (config, now) -> value;
    numbers.put(
        full, new KafkaMetric(new Object(), full, measured, new MetricConfig(), Time.SYSTEM));
  }

  @Test
  void aConnectionThatIsOnlyTriedIsNone() {
    assertFalse(look(1, 0), "nobody has answered yet");
    assertTrue(look(1, 3));
    assertFalse(look(0, 7));
    for (int i = 0; i < 5; i++) {
      assertFalse(look(1, 7), "it is tried again");
      assertFalse(look(0, 7));
    }
    assertTrue(look(1, 8));
  }

  @Test
  void whoIsSilentForTooLongIsAway() {
    assertTrue(look(1, 3));
    assertTrue(look(1, 3), "it has nothing to tell");
    seconds += 15;
    assertFalse(look(1, 3));
    assertTrue(look(1, 4));
  }

  /** Nobody may have looked for long. */
  @Test
  void theFirstLookTellsToo() {
    seconds += 1000;
    assertTrue(look(2, 5));
  }
}
