package io.millrace.server.http.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.server.http.HttpListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthListenerTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int PATIENCE_MS = 20_000;

  private Health health;
  private HttpListener listener;

  @BeforeEach
  void listen() throws Exception {
    health = Health.begin(PartKind.GATEWAY, ProgramOptions.ofProcess("x", "").parse());
    listener = HealthListener.listen(ANY_PORT, health);
  }

  @AfterEach
  void close() {
    listener.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(listener.address().getAddress(), listener.address().getPort());
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  private String ask(String method, String target) throws IOException {
    try (Socket socket = connect()) {
      send(socket, method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  @Test
  void threePagesAreTold() throws IOException {
    assertTrue(ask("GET", "/live").startsWith("HTTP/1.1 200 "));
    String starting = ask("GET", "/ready");
    assertTrue(starting.startsWith("HTTP/1.1 503 "), starting);
    assertTrue(starting.endsWith("\r\n\r\nit starts\n"), starting);
    health.ready(() -> "no broker is connected");
    assertTrue(ask("GET", "/ready").endsWith("\r\n\r\nno broker is connected\n"));
    health.ready(() -> "");
    assertTrue(ask("GET", "/ready").startsWith("HTTP/1.1 200 "));
    String metrics = ask("GET", "/metrics");
    assertTrue(metrics.contains("text/plain; version=0.0.4"), metrics);
    assertTrue(metrics.contains("\nmillrace_ready{part=\"gateway\"} 1.0\n"), metrics);
    assertTrue(metrics.contains("\n# TYPE millrace_repeated_commands_total counter\n"), metrics);
  }

  @Test
  void nothingElseIsThereAndNothingCanBeChanged() throws IOException {
    assertTrue(ask("GET", "/").startsWith("HTTP/1.1 404 "));
    assertTrue(ask("GET", "/metrics/../etc/query.token").startsWith("HTTP/1.1 404 "));
    assertTrue(ask("GET", "/%00").startsWith("HTTP/1.1 404 "));
    for (String method : List.of("POST", "PUT", "DELETE", "HEAD", "OPTIONS")) {
      assertTrue(ask(method, "/metrics").startsWith("HTTP/1.1 405 "), method);
    }
    try (Socket socket = connect()) {
      send(socket, "POST /ready HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
      String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
    }
  }

  /** What an attacker on this host can do at once: fill the door with half requests and readers. */
  @Test
  void slowClientsKeepNeitherThePartNorTheNextOneWaiting() throws IOException {
    Measures.ofProcess().count(Metric.REPEATED);
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        slow.add(socket);
        // Some never end their head, some ask again and again and read nothing.
        String half = "GET /metrics HTTP/1.1\r\nHost: x\r\n";
        try {
          send(socket, i % 2 == 0 ? half : (half + "\r\n").repeat(200));
        } catch (IOException e) {
          // Beyond the bound of connections they are closed at once.
          assertTrue(i >= HealthListener.LIMITS.connections().ofAddress(), e + " at " + i);
        }
      }
      // The part counts as before: nothing that counts waits for who listens.
      long before = System.nanoTime();
      for (int i = 0; i < 100_000; i++) {
        Measures.ofProcess().count(Metric.REPEATED);
      }
      long took = System.nanoTime() - before;
      assertTrue(took < Duration.ofSeconds(2).toNanos(), took + " ns");
      assertTrue(listener.connections() <= HealthListener.LIMITS.connections().all());
      long held = HealthListener.LIMITS.memory().answers();
      assertTrue(listener.heldBytes() <= held, listener.heldBytes() + " bytes are held");
      // They stay, and lose their places by the bounds of time.
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(() -> ask("GET", "/live").startsWith("HTTP/1.1 200 "));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    assertTrue(ask("GET", "/metrics").contains("millrace_repeated_commands_total"));
  }

  @Test
  void aPortThatIsTakenIsSaidInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
      try {
        HealthListener.listen(address, health).close();
        throw new AssertionError("two listen at " + address);
      } catch (IOException e) {
        assertEquals(1, e.getMessage().lines().count());
        assertTrue(e.getMessage().startsWith("cannot listen at 127.0.0.1:"), e.getMessage());
      }
    }
  }

  @Test
  void whoAsksIsAnsweredOverOneConnectionAgainAndAgain() throws IOException {
    try (Socket socket = connect()) {
      for (int i = 0; i < 3; i++) {
        send(socket, "GET /live HTTP/1.1\r\nHost: x\r\n\r\n");
        String answer = head(socket.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder all = new StringBuilder();
    while (!all.toString().endsWith("\r\n\r\nalive\n")) {
      all.append((char) in.read());
    }
    return all.toString();
  }
}
