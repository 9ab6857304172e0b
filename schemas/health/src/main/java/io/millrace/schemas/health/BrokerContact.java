package io.millrace.schemas.health;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Whether a consumer has a broker that answers. A client counts connections that it only tries to
 * make among its connections, so that their number alone says nothing of a broker that is away:
 * answers must have come since there was none, and not too long ago.
 */
public final class BrokerContact {
  private static final String GROUP = "consumer-metrics";

  private final long silenceNanos;

  /** Answers when there was no connection last. */
  private double unconnected;

  /** Answers at the last look, and when another number was seen first. */
  private double answers;

  private long answeredNanos;

  /**
   * @param silence so long no answer may come while all is well: longer than the broker holds a
   *     question back that it has nothing for
   */
  public BrokerContact(Duration silence) {
    this.silenceNanos = silence.toNanos();
  }

  /**
   * @param all numbers of the consumer
   */
  public boolean is(Map<MetricName, ? extends Metric> all) {
    return is(all, System.nanoTime());
  }

  synchronized boolean is(Map<MetricName, ? extends Metric> all, long nowNanos) {
    double now = ClientMetrics.sum(all, GROUP, "response-total");
    boolean connects = ClientMetrics.sum(all, GROUP, "connection-count") > 0;
    if (now != answers) {
      answers = now;
      answeredNanos = nowNanos;
    }
    if (!connects) {
      unconnected = now;
    }
    return connects && now != unconnected && nowNanos - answeredNanos <= silenceNanos;
  }
}
