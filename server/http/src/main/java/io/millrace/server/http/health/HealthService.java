package io.millrace.server.http.health;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import io.millrace.server.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Three pages that everybody may read; nothing can be changed here. */
final class HealthService implements HttpService {

  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final List<String> PAGES = List.of("/live", "/ready", "/metrics");

  private final Health health;

  HealthService(Health health) {
    this.health = health;
  }

  @Override
  public Early early(ReceivedRequest head) {
    String path = path(head);
    if (!PAGES.contains(path)) {
      return Early.refused(text(404, "there are " + String.join(", ", PAGES)));
    }
    if (!head.method().equals("GET")) {
      return Early.refused(text(405, "only GET").with("Allow", "GET"));
    }
    return Early.goOn(true, Map.of());
  }

  private static String path(ReceivedRequest head) {
    try {
      return RequestTarget.of(head.target()).path();
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  @Override
  public HttpAnswer answer(ReceivedRequest request) {
    return switch (path(request)) {
      case "/live" -> text(200, "alive");
      case "/ready" -> {
        String obstacle = health.obstacle();
        yield obstacle.isEmpty() ? text(200, "ready") : text(503, obstacle);
      }
      default -> HttpAnswer.whole(200, Measures.TYPE, health.metrics());
    };
  }

  @Override
  public HttpAnswer refusal(HttpRefusal why, String text) {
    return text(why.status(), text);
  }

  @Override
  public Map<String, String> headers() {
    return Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");
  }

  private static HttpAnswer text(int status, String line) {
    return HttpAnswer.whole(status, PLAIN, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
