package io.millrace.ops.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What arrives at who collects numbers by OTLP. */
class OtlpSenderTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(4, 4),
          1 << 20,
          new HttpLimits.HttpMemoryLimits(0, 1 << 20, 1 << 20),
          new HttpLimits.Workers(1, 4),
          new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));

  private final BlockingQueue<String> received = new ArrayBlockingQueue<>(100);

  private final HttpService collector =
      new HttpService() {
        /** There is no login here. */
        @Override
        public Early early(ReceivedRequest head) {
          return Early.goOn(false, Map.of());
        }

        @Override
        public HttpAnswer answer(ReceivedRequest request) {
          String body = new String(request.body(), StandardCharsets.UTF_8);
          received.offer(request.method() + " " + request.target() + " " + body);
          return HttpAnswer.whole(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public HttpAnswer refusal(HttpRefusal why, String text) {
          return HttpAnswer.whole(why.status(), "text/plain", new byte[0]);
        }
      };

  private static JsonNode metric(JsonNode metrics, String name) {
    for (JsonNode each : metrics) {
      if (each.path("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no " + name + " in " + metrics);
  }

  @Test
  void gaugesCountersAndHistogramsAreSent() throws Exception {
    Health health = Health.begin(PartKind.SERVER, ProgramOptions.ofProcess("x", "").parse());
    Measures.ofProcess().count(Metric.SUBMISSIONS, 3);
    Measures.ofProcess().observe(Metric.START_LATENCY, 0.02);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpListener listener =
        HttpListener.open(
            HttpListener.ListenerAddress.plain("collector", any), LIMITS, collector)) {
      URI receiver = URI.create("http://" + HttpListener.text(listener.address()) + "/v1/metrics");
      ScheduledExecutorService clock = new OtlpSender().begin(receiver, health, 20);
      try {
        String request = received.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertTrue(request.startsWith("POST /v1/metrics {"), request);
        JsonNode sent = new ObjectMapper().readTree(request.substring(request.indexOf('{')));
        JsonNode resource = sent.at("/resourceMetrics/0/resource/attributes");
        assertTrue(resource.toString().contains("\"stringValue\":\"millrace-server\""));
        JsonNode metrics = sent.at("/resourceMetrics/0/scopeMetrics/0/metrics");
        JsonNode ready = metric(metrics, "millrace_ready").at("/gauge/dataPoints/0");
        assertEquals(0, ready.path("asDouble").asDouble());
        assertEquals("server", ready.at("/attributes/0/value/stringValue").asText());
        JsonNode sum = metric(metrics, "millrace_submissions").path("sum");
        assertTrue(sum.path("isMonotonic").asBoolean());
        assertEquals(2, sum.path("aggregationTemporality").asInt());
        assertTrue(sum.at("/dataPoints/0/asDouble").asDouble() >= 3, sum.toString());
        JsonNode latency =
            metric(metrics, "millrace_start_latency_seconds").at("/histogram/dataPoints/0");
        assertEquals(
            latency.path("explicitBounds").size() + 1, latency.path("bucketCounts").size());
        long count = 0;
        for (JsonNode bucket : latency.path("bucketCounts")) {
          assertTrue(bucket.isTextual(), latency.toString());
          count += Long.parseLong(bucket.asText());
        }
        assertTrue(count >= 1, latency.toString());
        assertEquals(Long.toString(count), latency.path("count").asText());
      } finally {
        clock.shutdownNow();
      }
    }
  }

  /** Its answer has a head and no end: the numbers of the next moment are sent all the same. */
  @Test
  void anAnswerWithoutEndStopsNothing() throws Exception {
    Health health = Health.begin(PartKind.SERVER, ProgramOptions.ofProcess("x", "").parse());
    String head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      listener.setSoTimeout(Math.toIntExact(LONG.toMillis()));
      URI receiver = URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/v1/metrics");
      ScheduledExecutorService clock =
          new OtlpSender(Duration.ofMillis(200)).begin(receiver, health, 20);
      try (Socket first = listener.accept()) {
        first.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        listener.accept().close();
      } finally {
        clock.shutdownNow();
      }
    }
  }

  @Test
  void whatIsNoAddressIsRefused() throws Exception {
    ProgramOptions options = Health.addTo(ProgramOptions.ofProcess("x", ""));
    for (String wrong :
        new String[] {
          "collector:4318",
          "ftp://collector/x",
          "http://",
          "a b",
          "http://me:word@collector:4318/v1/metrics",
          "http://collector:99999/v1/metrics"
        }) {
      GivenOptions given = options.parse("--otlp", wrong);
      UsageException refused =
          assertThrows(UsageException.class, () -> Health.begin(PartKind.GATEWAY, given));
      assertTrue(refused.getMessage().contains("--otlp"), refused.getMessage());
    }
  }
}
