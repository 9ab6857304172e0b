package io.millrace.server.http.health;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.HealthDoor;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Tells the health of a part over plain HTTP. It has threads and memory of its own, few of both:
 * who asks too much or listens slowly takes them from others who ask, not from the part.
 */
public final class HealthListener implements HealthDoor {

  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final int MEMORY_BYTES = 4 << 20;

  static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(32, 16),
          1024,
          new HttpLimits.HttpMemoryLimits(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES),
          new HttpLimits.Workers(2, 16),
          new HttpLimits.HttpTimeLimits(Duration.ofSeconds(30), SHORT, SHORT, SHORT, SHORT));

  @Override
  public void open(InetSocketAddress address, Health health) throws IOException {
    listen(address, health);
  }

  /** The same; for who wants to end it. */
  static HttpListener listen(InetSocketAddress address, Health health) throws IOException {
    return HttpListener.open(
        HttpListener.ListenerAddress.plain("health", address), LIMITS, new HealthService(health));
  }
}
