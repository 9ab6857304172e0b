package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.http.NobodysServer;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a request: one line, and what may be concluded from it. */
class OarDoorTest {

  private static final OarRequest SUBMISSION =
      OarRequest.submission("alice", Map.of("command", "/bin/true"));

  @TempDir Path folder;

  @BeforeEach
  void passwords() throws IOException {
    OarFixtures.credentials(folder, "alice:ecila\nbob:wrong\n# a comment\n\n");
  }

  private OarAnswer ask(String url, OarRequest request, String... more) throws Exception {
    return new OarDoor(OarFixtures.file(folder, url, more)).ask(request);
  }

  @Test
  void aQuestionIsTheFirstNames() throws Exception {
    try (PlayedOar oar = new PlayedOar()) {
      OarAnswer answer = ask(oar.url(), OarRequest.get("/version.json"));
      assertTrue(answer.isGood());
      assertEquals(OarFixtures.text("version.json"), answer.body());
      assertEquals(List.of("GET /oarapi/version.json"), oar.asked());
      assertEquals(Optional.of("Basic YWxpY2U6ZWNpbGE="), oar.last().header("Authorization"));
      assertEquals(Optional.of("application/json"), oar.last().header("Accept"));
      assertEquals(Optional.empty(), oar.last().header("X-Remote-Ident"));
    }
  }

  @Test
  void anOrderIsItsAccounts() throws Exception {
    try (PlayedOar oar = new PlayedOar()) {
      assertTrue(ask(oar.url(), SUBMISSION).isGood());
      assertEquals(
          "{\"command\":\"/bin/true\"}", new String(oar.last().body(), StandardCharsets.UTF_8));
      assertEquals(Optional.of("application/json"), oar.last().header("Content-Type"));
      OarAnswer answer = ask(oar.url(), OarRequest.order("/jobs/9/deletions/new.json", "bob"));
      assertEquals(
          "status 401: the name or the password is refused; see 'credentials'", answer.trouble());
      assertTrue(answer.wasNotTaken());
      answer = ask(oar.url(), OarRequest.order("/jobs/9/deletions/new.json", "carol"));
      assertEquals(
          folder + "/oar-passwords has no password of carol; write a line carol:PASSWORD",
          answer.trouble());
      assertTrue(answer.wasNotTaken());
    }
  }

  @Test
  void theFirstNameIsTrusted() throws Exception {
    try (PlayedOar oar = new PlayedOar()) {
      OarRequest order = OarRequest.order("/jobs/9/deletions/new.json", "bob");
      assertTrue(ask(oar.url(), order, "identity = header").isGood());
      assertEquals(Optional.of("bob"), oar.last().header("X-Remote-Ident"));
      assertEquals(Optional.of("Basic YWxpY2U6ZWNpbGE="), oar.last().header("Authorization"));
      ask(oar.url(), OarRequest.get("/version.json"), "identity = header");
      assertEquals(Optional.empty(), oar.last().header("X-Remote-Ident"));
    }
  }

  @Test
  void passwordsThatOthersCouldRead() throws Exception {
    Path file = folder.resolve("oar-passwords");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    OarAnswer answer = ask("http://127.0.0.1:1/x", SUBMISSION);
    assertEquals(file + " can be read by others; chmod 600 " + file, answer.trouble());
    OarFixtures.credentials(folder, "alice\n");
    answer = ask("http://127.0.0.1:1/x", SUBMISSION);
    assertEquals(file + ":1: this is not NAME:PASSWORD", answer.trouble());
    OarFixtures.credentials(folder, "# nobody\n");
    answer = ask("http://127.0.0.1:1/x", SUBMISSION);
    assertEquals(file + " names nobody; write a line NAME:PASSWORD", answer.trouble());
    Files.delete(file);
    answer = ask("http://127.0.0.1:1/x", SUBMISSION);
    assertEquals(
        "there is no file " + file + "; write it, with lines NAME:PASSWORD", answer.trouble());
    assertEquals(ExchangeEnding.NOT_SENT, answer.ending());
    assertFalse(new OarCredentials(Map.of("a", "secret")).toString().contains("secret"));
  }

  @Test
  void nobodyIsThere() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String url = "http://127.0.0.1:" + port + "/oarapi";
    OarAnswer answer = ask(url, SUBMISSION);
    assertEquals(ExchangeEnding.NOT_SENT, answer.ending());
    assertTrue(answer.trouble().startsWith(url + " cannot be reached; see 'url'"), answer::trouble);
    assertInstanceOf(Submitted.NotSent.class, OarWords.submitted(answer));
  }

  @Test
  void aStrangerInItsPlaceGetsNoPassword() throws Exception {
    try (NobodysServer stranger = new NobodysServer()) {
      OarAnswer answer = ask(stranger.url(), SUBMISSION);
      assertEquals("", stranger.told());
      assertEquals(ExchangeEnding.NOT_SENT, answer.ending());
      assertTrue(answer.trouble().endsWith("set 'url_account = nobody'"), answer::trouble);
    }
    try (NobodysServer named = new NobodysServer()) {
      assertTrue(ask(named.url(), SUBMISSION, "url_account = nobody").isGood());
      assertTrue(named.told().contains("\nAuthorization: Basic "));
    }
  }

  private void unclear(OarAnswer answer, ExchangeEnding ending, String why) {
    assertEquals(ending, answer.ending(), answer::trouble);
    assertTrue(answer.trouble().startsWith(why), answer::trouble);
    assertEquals(1, answer.trouble().lines().count());
    assertInstanceOf(Submitted.SubmissionUnclear.class, OarWords.submitted(answer));
  }

  /** Whatever has become of it, it was sent once. */
  @Test
  void aServerThatSaysNothing() throws Exception {
    try (BrokenServer server = new BrokenServer("", 0, true)) {
      unclear(
          ask(server.url(), SUBMISSION, "command_limit_s = 1"),
          ExchangeEnding.TIMED_OUT,
          "no answer within 1 s");
      assertEquals(1, server.requests());
    }
    try (BrokenServer server = new BrokenServer("", 0, false)) {
      unclear(ask(server.url(), SUBMISSION), ExchangeEnding.BROKEN_OFF, "the answer broke off");
      assertEquals(1, server.requests());
    }
  }

  @Test
  void anAnswerThatStopsInTheMiddle() throws Exception {
    String half = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\" : 1,";
    try (BrokenServer server = new BrokenServer(half, 1, true)) {
      unclear(
          ask(server.url(), SUBMISSION, "command_limit_s = 1"),
          ExchangeEnding.TIMED_OUT,
          "no answer within 1 s");
    }
    try (BrokenServer server = new BrokenServer(half, 1, false)) {
      unclear(ask(server.url(), SUBMISSION), ExchangeEnding.BROKEN_OFF, "the answer broke off");
    }
  }

  @Test
  void noise() throws Exception {
    try (BrokenServer server = new BrokenServer("\u0000\u00ff\u0001what?\r\n\u0007", 1, false)) {
      unclear(ask(server.url(), SUBMISSION), ExchangeEnding.BROKEN_OFF, "the answer broke off");
    }
  }

  @Test
  void aHundredMebibytes() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    try (BrokenServer server = new BrokenServer(head + " ".repeat(1 << 20), 100, false)) {
      unclear(
          ask(server.url(), SUBMISSION, "output_most_mib = 2"),
          ExchangeEnding.BROKEN_OFF,
          "the answer has more than 2 MiB: 'output_most_mib' and an eighth of this process's heap");
    }
  }

  /** Passwords go nowhere else. */
  @Test
  void anotherAddressIsNotFollowed() throws Exception {
    try (PlayedOar oar = new PlayedOar()) {
      String moved =
          "HTTP/1.1 307 Moved\r\nLocation: "
              + oar.url()
              + "/jobs.json\r\nContent-Length: 0\r\n\r\n";
      try (BrokenServer server = new BrokenServer(moved, 1, false)) {
        unclear(ask(server.url(), SUBMISSION), ExchangeEnding.ANSWERED, "status 307: ");
        assertEquals(List.of(), oar.asked());
      }
    }
  }

  @Test
  void whatTheWebServerSays() throws Exception {
    try (PlayedOar oar = new PlayedOar()) {
      oar.answer("POST /jobs.json", 500, "<html>what\never</html>");
      unclear(ask(oar.url(), SUBMISSION), ExchangeEnding.ANSWERED, "status 500: its web server");
      oar.answer("POST /jobs.json", 403, "<html>Forbidden</html>");
      OarAnswer answer = ask(oar.url(), SUBMISSION);
      assertEquals(
          "status 403: its web server lets nobody in from here; see its 'Require'",
          answer.trouble());
      assertInstanceOf(Submitted.NotSent.class, OarWords.submitted(answer));
    }
  }

  @Test
  void certificatesThatAreNone() throws Exception {
    Path file = Files.writeString(folder.resolve("ca.pem"), "none");
    OarAnswer answer = ask("https://127.0.0.1:1/x", SUBMISSION, "certificates = " + file);
    assertEquals(ExchangeEnding.NOT_SENT, answer.ending());
    assertTrue(answer.trouble().startsWith(file + " has no certificates in PEM: "));
    Files.writeString(file, "");
    OarAnswer empty = ask("https://127.0.0.1:1/x", SUBMISSION, "certificates = " + file);
    assertEquals(file + " has no certificates in PEM: it has nothing", empty.trouble());
  }

  /** A server that speaks no TLS proves nothing. */
  @Test
  void aServerWithoutTls() throws Exception {
    try (BrokenServer server = new BrokenServer("HTTP/1.1 400 Bad\r\n\r\n", 1, false)) {
      OarAnswer answer =
          ask(server.url().replace("http:", "https:"), SUBMISSION, "command_limit_s = 1");
      assertFalse(answer.isWhole(), answer::trouble);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$(id)", "`id`", "a;b", "a\"b", "a'b", "a\\b", "a\nb", "a|b", "a>b", "a&b", "", "ä", "a*",
        "~"
      })
  void wordsThatAShellWouldSee(String word) {
    assertThrows(
        IllegalArgumentException.class, () -> OarRequest.submission("alice", Map.of("name", word)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://oar.site.org/oarapi",
        "http://127.0.0.1.site.org/",
        "http://localhost.site.org"
      })
  void passwordsGoNowhereInTheOpen(String url) {
    ClusterFault fault =
        assertThrows(
            ClusterFault.class, () -> OarFixtures.file(folder, url.replaceFirst("/$", "")));
    assertTrue(fault.getMessage().contains("url takes https for another host"), fault.getMessage());
  }

  @Test
  void whatAFileMayNotSay() {
    for (String[] wrong :
        new String[][] {
          {"mode = place\nqueue = q", "mode = place is not possible with oar"},
          {"as = sudo\nstarter = /usr/lib/x", "starter is not possible with oar"},
          {"best_effort = maybe", "best_effort is one of no, yes, campaigns, not 'maybe'"},
          {"slot = a;b", "slot is a name of small letters"},
          {"project = a b", "project is a name of letters"},
          {"ends_h = 0", "ends_h takes a number from 1 to 8760"}
        }) {
      ClusterFault fault =
          assertThrows(
              ClusterFault.class,
              () -> OarFixtures.file(folder, "https://oar.site.org:6669/oarapi", wrong[0]));
      assertTrue(fault.getMessage().contains(wrong[1]), fault.getMessage());
    }
  }
}
