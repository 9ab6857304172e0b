package io.millrace.ops.health;

import io.millrace.schemas.HostName;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.MetricSender;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the numbers of a part by OTLP over HTTP. What is not taken is not sent again: the next
 * request has the newer numbers, and counters are whole. A receiver that is away is said once.
 */
public final class OtlpSender implements MetricSender {

  private static final Logger LOG = LoggerFactory.getLogger(OtlpSender.class);
  private static final long EACH_MS = 15_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Duration patience;
  private final HttpClient client;
  private boolean away;

  /** As the service it is. */
  public OtlpSender() {
    this(PATIENCE);
  }

  /**
   * @param patience for a whole answer
   */
  OtlpSender(Duration patience) {
    this.patience = patience;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public void begin(URI receiver, Health health) {
    begin(receiver, health, EACH_MS);
  }

  /**
   * The same as often as is said here.
   *
   * @return ends it
   */
  ScheduledExecutorService begin(URI receiver, Health health, long eachMs) {
    OtlpText text =
        new OtlpText(
            Map.of(
                "service.name",
                "millrace-" + health.part().text(),
                "service.instance.id",
                host() + ":" + ProcessHandle.current().pid(),
                "host.name",
                host()),
            ManagementFactory.getRuntimeMXBean().getStartTime());
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "otlp");
              thread.setDaemon(true);
              return thread;
            });
    clock.scheduleWithFixedDelay(
        () -> send(receiver, text, health), eachMs, eachMs, TimeUnit.MILLISECONDS);
    return clock;
  }

  private static String host() {
    try {
      return HostName.untilDot();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private void send(URI receiver, OtlpText text, Health health) {
    try {
      send(receiver, text.of(health.snapshots(), System.currentTimeMillis()));
    } catch (RuntimeException e) {
      // Of a number's source; without this the clock would go on no more.
      LOG.error("numbers are not sent", e);
    }
  }

  private void send(URI receiver, String text) {
    HttpRequest request =
        HttpRequest.newBuilder(receiver)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(text))
            .build();
    // A timeout of the request would be over with the head of the answer.
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      int status = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS).statusCode();
      say(status / 100 == 2 ? "" : "answers HTTP " + status);
    } catch (ExecutionException e) {
      say("is not reached: " + e.getCause());
    } catch (TimeoutException e) {
      say("has no whole answer after " + patience.toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      answer.cancel(true);
    }
  }

  /** Only when it changes. */
  private void say(String why) {
    if (away == why.isEmpty()) {
      away = !why.isEmpty();
      LOG.warn("the receiver of numbers {}", away ? why : "takes them again");
    }
  }
}
