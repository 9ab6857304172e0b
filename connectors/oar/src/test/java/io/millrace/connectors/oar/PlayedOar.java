package io.millrace.connectors.oar;

import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.PlayedServer;
import io.millrace.server.http.ReceivedRequest;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
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
final class PlayedOar implements AutoCloseable {

  private record Played(int status, String body) {}

  private static final Set<String> NAMES = Set.of("alice", "bob");

  private final PlayedServer server;
  private final Map<String, Played> answers = new HashMap<>();
  private final Map<String, Deque<Played>> lies = new ConcurrentHashMap<>();

  PlayedOar() throws IOException {
    this(Optional.empty());
  }

  /**
   * @param tls certificate and key; empty for plain HTTP
   */
  PlayedOar(Optional<SslContext> tls) throws IOException {
    answer("GET /version", 200, OarFixtures.text("version.json"));
    answer("GET /jobs.json?state=Waiting", 200, OarFixtures.text("jobs.json"));
    answer("GET /jobs.json?state=Terminated", 200, OarFixtures.text("jobs-empty.json"));
    answer("GET /jobs/details", 200, OarFixtures.text("details.json"));
    answer("GET /resources/details", 200, OarFixtures.text("resources.json"));
    answer("GET /resources/network_address", 200, OarFixtures.text("places.json"));
    answer("POST /jobs.json", 201, OarFixtures.text("submit.json"));
    answer("POST /jobs/", 202, OarFixtures.text("delete-run.json"));
    server = new PlayedServer(tls, this::answer);
  }

  /** Its address, as a cluster file has it. */
  String url() {
    return "http://127.0.0.1:" + server.port() + "/oarapi";
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
    return server.requests().stream().map(it -> it.method() + " " + it.target()).toList();
  }

  ReceivedRequest last() {
    List<ReceivedRequest> all = server.requests();
    return all.get(all.size() - 1);
  }

  /** What came with the last request of a method. */
  byte[] body(String method) {
    List<ReceivedRequest> all =
        server.requests().stream().filter(it -> it.method().equals(method)).toList();
    return all.get(all.size() - 1).body();
  }

  private static String credential(ReceivedRequest request) {
    String header = request.header("Authorization").orElse("").replaceFirst("^Basic ", "");
    return new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
  }

  private static boolean isKnown(String credential) {
    return NAMES.stream()
        .anyMatch(it -> credential.equals(it + ":" + new StringBuilder(it).reverse()));
  }

  private HttpAnswer answer(ReceivedRequest request) {
    String credential = credential(request);
    if (!isKnown(credential)) {
      return PlayedServer.json(401, OarFixtures.text("401.html"));
    }
    String asked = request.method() + " " + request.target().replaceFirst("^/oarapi", "");
    if (asked.startsWith("GET /whoami") && !answers.containsKey("GET /whoami")) {
      String name = credential.substring(0, credential.indexOf(':'));
      String shown = request.header("X-Remote-Ident").orElse(name);
      return PlayedServer.json(200, OarFixtures.text("whoami.json").replace("alice", shown));
    }
    for (Map.Entry<String, Deque<Played>> each : lies.entrySet()) {
      if (asked.startsWith(each.getKey()) && !each.getValue().isEmpty()) {
        Played lie = each.getValue().remove();
        return PlayedServer.json(lie.status(), lie.body());
      }
    }
    return answers.entrySet().stream()
        .filter(it -> asked.startsWith(it.getKey()))
        .findFirst()
        .map(it -> PlayedServer.json(it.getValue().status(), it.getValue().body()))
        .orElseGet(() -> PlayedServer.json(404, OarFixtures.text("notthere.json")));
  }

  @Override
  public void close() {
    server.close();
  }
}
