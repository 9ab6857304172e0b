package io.millrace.connectors.bridge.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.http.RestAnswer.RestEnding;
import io.millrace.connectors.bridge.http.RestServer.RestPlace;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets and a port of this host, which anybody may have while its server is away. */
@Timeout(60)
class RestServerTest {

  private static final long MOST = 100;

  private static RestAnswer ask(String url, String account, Map<String, String> headers)
      throws InterruptedException {
    RestPlace place =
        new RestPlace(url, "rest_account", Optional.of(account).filter(it -> !it.isEmpty()), "x");
    return new RestServer(place, Duration.ofSeconds(8), MOST, Optional.empty())
        .send(new RestRequest("POST", "/path", headers, Optional.of("the-body")));
  }

  private static RestAnswer ask(String url, String account) throws InterruptedException {
    return ask(url, account, Map.of("X-Token", "the-token"));
  }

  @Test
  void aStrangerIsToldNothing() throws Exception {
    try (NobodysServer stranger = new NobodysServer()) {
      RestAnswer said = ask(stranger.url(), "daemon");
      assertEquals("", stranger.told());
      assertEquals(RestEnding.NOT_PROVEN, said.ending(), said::body);
      assertEquals(
          stranger.url()
              + " belongs to account nobody, so that nothing was sent there; if that is its server,"
              + " set 'rest_account = nobody'",
          said.body());
    }
  }

  @Test
  void aStrangerWhoLetsTheConnectionWaitFindsNothingInIt() throws Exception {
    try (NobodysServer stranger = new NobodysServer("late")) {
      assertEquals(RestEnding.NOT_PROVEN, ask(stranger.url(), "").ending());
      assertEquals("", stranger.told());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "65534"})
  void whoIsNamedIsAsked(String account) throws Exception {
    try (NobodysServer server = new NobodysServer()) {
      RestAnswer said = ask(server.url(), account);
      assertEquals(new RestAnswer(RestEnding.ANSWERED, 200, "{}"), said);
      String told = server.told();
      assertTrue(told.startsWith("POST /path HTTP/1.1\nHost: 127.0.0.1:"), told);
      assertTrue(told.contains("\nX-Token: the-token\n"), told);
      assertTrue(told.endsWith("\nContent-Length: 8\n\nthe-body\n"), told);
    }
  }

  /** Some servers refuse a POST that does not say its length. */
  @Test
  void aPostWithoutABodySaysSo() throws Exception {
    try (NobodysServer server = new NobodysServer()) {
      RestPlace place = new RestPlace(server.url(), "rest_account", Optional.of("nobody"), "x");
      RestRequest request = new RestRequest("POST", "/path", Map.of(), Optional.empty());
      new RestServer(place, Duration.ofSeconds(8), MOST, Optional.empty()).send(request);
      String told = server.told();
      assertTrue(told.contains("\nContent-Length: 0\n"), told);
    }
  }

  @Test
  void anAccountThatThisHostDoesNotHave() throws Exception {
    RestAnswer said = ask("http://127.0.0.1:1025", "nosuch");
    assertEquals(RestEnding.NOT_PROVEN, said.ending());
    assertEquals(
        "rest_account: /etc/passwd of this host has no account nosuch; give its number",
        said.body());
  }

  /** A server of our own account, with one answer. */
  private static RestAnswer answered(String answer, boolean drips) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> serve(listener, answer, drips), "played-server");
      thread.setDaemon(true);
      thread.start();
      return ask("http://localhost:" + listener.getLocalPort(), "");
    }
  }

  private static void serve(ServerSocket listener, String answer, boolean drips) {
    try (Socket socket = listener.accept()) {
      StringBuilder request = new StringBuilder();
      while (request.indexOf("the-body") < 0) {
        request.append((char) socket.getInputStream().read());
      }
      OutputStream out = socket.getOutputStream();
      out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
      while (drips) {
        out.write('x');
      }
    } catch (IOException e) {
      // The other end has heard enough.
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'Content-Length: 101\r\n\r\n', false, TOO_LONG",
    "'Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n', false, TOO_LONG",
    "'A: b\r\n\r\n', true, TOO_LONG",
    "'A: ', true, BROKEN_OFF",
    "'Content-Length: 4\r\n\r\nabc', false, BROKEN_OFF",
    "'Content-Length: 3\r\n\r\nabc', false, ANSWERED",
    "'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', false, ANSWERED",
  })
  void answersAreBounded(String head, boolean drips, RestEnding ending) throws Exception {
    RestAnswer said = answered("HTTP/1.1 200 OK\r\n" + head, drips);
    assertEquals(ending, said.ending(), said::body);
    assertEquals(ending == RestEnding.ANSWERED ? "abc" : said.body(), said.body());
  }

  @Test
  void nobodyIsThere() throws Exception {
    String url;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + free.getLocalPort();
    }
    assertEquals(RestEnding.NOT_REACHED, ask(url, "").ending());
  }

  @Test
  void aHeaderThatIsNoneIsNotSent() {
    Map<String, String> headers = Map.of("X-Token", "a\r\nHost: other");
    assertThrows(IllegalArgumentException.class, () -> ask("http://127.0.0.1:1025", "", headers));
  }

  @ParameterizedTest
  @CsvSource({
    "http://n1:6820, false, rest takes https for another host: tokens do not go there in the open",
    "http://127.1:80, false, rest takes https for another host: tokens do not go there in the open",
    "http://127.0.0.1.n1, false, rest takes https for another host: tokens do not go there in the"
        + " open",
    "http://127.0.0.256:80, false, rest takes https for another host: tokens do not go there in the"
        + " open",
    "http://127.0.0.1:65536, false, 'rest takes a port from 1 to 65535, not 65536'",
    "https://n1:0/a, false, 'rest takes a port from 1 to 65535, not 0'",
    "https://n1:65535, false, ''",
    "https://n1, true, 'who says who listens at http of this host, which rest does not name'",
    "https://n1, false, ''",
    "http://localhost:6820/a, true, ''",
    "http://127.0.0.1, false, ''",
  })
  void addresses(String address, boolean given, String wrong) {
    String said = HostPort.unfit("rest", address, "who", given, "tokens").orElse("");
    assertEquals(wrong, said);
  }
}
