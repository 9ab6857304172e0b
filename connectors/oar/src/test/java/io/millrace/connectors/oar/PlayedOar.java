package io.millrace.connectors.oar;

import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server of HTTP that answers as OAR 2.5.9 did, by what a request asks. It knows alice and bob,
 * by passwords that are their names backwards.
 */
final class PlayedOar implements HttpService, AutoCloseable {

  private record Played(int status, String body) {}

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Set<String> NAMES = Set.of("alice", "bob");

  private final HttpListener listener;
  private final Map<String, Played> answers = new HashMap<>();
  private final Map<String, Deque<Played>> lies = new ConcurrentHashMap<>();
  private final List<ReceivedRequest> requests = Collections.synchronizedList(new ArrayList<>());

  PlayedOar() throws IOException {
    this(Optional.empty());
  }

  /**
   * @param tls certificate and key; empty for plain HTTP
   */
  PlayedOar(Optional<SslContext> tls) throws IOException {
    HttpLimits limits =
        new HttpLimits(
            new HttpLimits.Connections(20, 20),
            1 << 20,
            new HttpLimits.HttpMemoryLimits(4 << 20, 4 << 20, 40 << 20),
            new HttpLimits.Workers(2, 10),
            new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    answer("GET /version", 200, OarFixtures.text("version.json"));
    answer("GET /jobs.json?state=Waiting", 200, OarFixtures.text("jobs.json"));
    answer("GET /jobs.json?state=Terminated", 200, OarFixtures.text("jobs-empty.json"));
    answer("GET /jobs/details", 200, OarFixtures.text("details.json"));
    answer("GET /resources/details", 200, OarFixtures.text("resources.json"));
    answer("GET /resources/network_address", 200, OarFixtures.text("places.json"));
    answer("POST /jobs.json", 201, OarFixtures.text("submit.json"));
    answer("POST /jobs/", 202, OarFixtures.text("delete-run.json"));
    listener = HttpListener.open(new HttpListener.ListenerAddress("oar", any, tls), limits, this);
  }

  /** Its address, as a cluster file has it. */
  String url() {
    return "http://" + HttpListener.text(listener.address()) + "/oarapi";
  }

  /** The next request that begins so gets this answer, and those behind it what they got before. */
  void once(String begin, int status, String body) {
    lies.computeIfAbsent(begin, it -> new ArrayDeque<>()).add(new Played(status, body));
  }

  /** From now on it answers so to requests that begin so. */
  void answer(String begin, int status, String body) {
    answers.put(begin, new Played(status, body));
  }

  /** What has come, as METHOD TARGET. */
  List<String> asked() {
    return requests.stream().map(it -> it.method() + " " + it.target()).toList();
  }

  ReceivedRequest last() {
    return requests.get(requests.size() - 1);
  }

  private static String credential(ReceivedRequest request) {
    String header = request.header("Authorization").orElse("").replaceFirst("^Basic ", "");
    return new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
  }

  private static boolean isKnown(String credential) {
    return NAMES.stream()
        .anyMatch(it -> credential.equals(it + ":" + new StringBuilder(it).reverse()));
  }

  @Override
  public HttpAnswer answer(ReceivedRequest request) {
    requests.add(request);
    String credential = credential(request);
    if (!isKnown(credential)) {
      return told(401, OarFixtures.text("401.html"));
    }
    String asked = request.method() + " " + request.target().replaceFirst("^/oarapi", "");
    if (asked.startsWith("GET /whoami") && !answers.containsKey("GET /whoami")) {
      String name = credential.substring(0, credential.indexOf(':'));
      String shown = request.header("X-Remote-Ident").orElse(name);
      return told(200, OarFixtures.text("whoami.json").replace("alice", shown));
    }
    for (Map.Entry<String, Deque<Played>> each : lies.entrySet()) {
      if (asked.startsWith(each.getKey()) && !each.getValue().isEmpty()) {
        Played lie = each.getValue().remove();
        return told(lie.status(), lie.body());
      }
    }
    return answers.entrySet().stream()
        .filter(it -> asked.startsWith(it.getKey()))
        .findFirst()
        .map(it -> told(it.getValue().status(), it.getValue().body()))
        .orElseGet(() -> told(404, OarFixtures.text("notthere.json")));
  }

  private static HttpAnswer told(int status, String body) {
    return HttpAnswer.whole(status, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public HttpAnswer refusal(HttpRefusal why, String text) {
    return told(400, text);
  }

  @Override
  public void close() {
    listener.close();
  }
}
