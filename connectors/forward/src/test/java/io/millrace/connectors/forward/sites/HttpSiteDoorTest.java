package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.forward.sites.SiteDoor.SiteReply;
import io.millrace.server.http.AnswerSink;
import io.millrace.server.http.AnswerSource;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.PlayedServer;
import io.millrace.server.http.ReceivedRequest;
import io.millrace.server.http.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The speaking part against a real server with TLS. */
class HttpSiteDoorTest {
  private static final UUID ID = new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0001L);
  private static final List<String> WORDS = List.of("plus_reserve", "-T", "--at", "P1=2");
  private static final String JSON = "application/json";

  /** Begins as an answer does, and is more than the server keeps before it sends. */
  private static final byte[] HALF =
      ("{\"exit_status\":0," + " ".repeat(1 << 17)).getBytes(StandardCharsets.UTF_8);

  @TempDir static Path shared;
  private static TestCertificate certificate;

  private PlayedServer server;
  private volatile PlayedServer.PlayedAnswers answering;
  @TempDir Path folder;
  private SiteDoor door;

  @BeforeAll
  static void certificate() throws Exception {
    certificate = TestCertificate.of(shared, "dns:localhost,ip:127.0.0.1");
  }

  @BeforeEach
  void begin() throws Exception {
    server = new PlayedServer(Optional.of(certificate.tls()), asked -> answering.to(asked));
    Files.writeString(folder.resolve("token"), "a.b.c\n");
    Files.setPosixFilePermissions(
        folder.resolve("token"), PosixFilePermissions.fromString("rw-------"));
    site(server.port(), Optional.of(certificate));
  }

  @AfterEach
  void end() {
    server.close();
  }

  private void site(int port, Optional<TestCertificate> trusted) throws IOException {
    Path file = folder.resolve("sites.properties");
    Files.writeString(
        file,
        "far.url=https://127.0.0.1:"
            + port
            + "\nfar.token_file=token\n"
            + trusted.map(it -> "far.ca=" + it.chain() + "\n").orElse(""));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    door = new HttpSiteDoor(new SitesFile(file));
  }

  private static PlayedServer.PlayedAnswers with(int status, String body) {
    return asked -> PlayedServer.json(status, body);
  }

  private static String result(String command, UUID id, int status, String out) {
    return "{\"command\":\"%s\",\"command_id\":\"%s\",\"exit_status\":%d,\"stdout\":\"%s\",\"stderr\":\"\",\"files\":[]}"
        .formatted(command, id, status, out);
  }

  private SiteReply.Unknown unknown() throws InterruptedException {
    SiteReply.Unknown unknown =
        assertInstanceOf(SiteReply.Unknown.class, door.command("far", ID, 2, WORDS));
    assertEquals(1, unknown.why().lines().count(), unknown.why());
    return unknown;
  }

  @Test
  void aCommandIsSentWithItsIdAndTheToken() throws Exception {
    answering = with(200, result("plus_reserve", ID, 0, "R17\\n"));
    assertEquals(new SiteReply.Said(0, "R17\n", ""), door.command("far", ID, 5, WORDS));
    ReceivedRequest sent = server.requests().get(0);
    assertEquals("POST /v1/commands/plus_reserve", sent.method() + " " + sent.target());
    String body = new String(sent.body(), StandardCharsets.UTF_8);
    assertTrue(body.startsWith("{\"arguments\":[\"-T\","), body);
    assertEquals(Optional.of("Bearer a.b.c"), sent.header("Authorization"));
    assertEquals(Optional.of(ID.toString()), sent.header("Idempotency-Key"));
  }

  @Test
  void aReservationIsSeen() throws Exception {
    answering =
        with(
            200,
            "{\"id\":\"R17.far\",\"reservation\":{\"reserve_state\":\"RESV_DEGRADED\","
                + "\"transaction\":\"reserve\",\"lost_nodes\":\"n1 (node down), n2 (offline with M3)\"}}");
    assertEquals(
        new SiteReply.ShownThere(
            "DEGRADED", "reserve", List.of("n1 (node down)", "n2 (offline with M3)")),
        door.look("far", "R17"));
    ReceivedRequest sent = server.requests().get(0);
    assertEquals("GET /v1/reservations/R17", sent.method() + " " + sent.target());
    answering =
        with(404, "{\"error\":{\"code\":15084,\"message\":\"Unknown Reservation Id R17\"}}");
    SiteReply absent = door.look("far", "R17");
    assertInstanceOf(SiteReply.Absent.class, absent, absent::toString);
  }

  /** A page of another server, or of another reservation, says nothing about this one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404|<html>not found</html>",
        "404|{\"error\":{\"code\":15001,\"message\":\"Unknown Job Id\"}}",
        "200|{\"id\":\"R18.far\",\"reservation\":{\"reserve_state\":\"RESV_RUNNING\"}}",
        "200|{\"id\":\"R17.far\",\"reservation\":{}}",
        "200|[]",
        "200|null",
        "302|moved",
      })
  void aPageThatIsNotMeant(int status, String body) throws Exception {
    answering = with(status, body);
    assertInstanceOf(SiteReply.Unknown.class, door.look("far", "R17"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "200|<html>welcome</html>",
        "200|",
        "200|{}",
        "200|{\"exit_status\":0,\"stdout\":\"R17\",\"stderr\":\"\"}",
        "200|{\"exit_status\":\"0\",\"stdout\":\"R17\",\"stderr\":\"\",\"command\":\"plus_reserve\"}",
        "200|{\"exit_status\":0,\"stdout\":",
        "204|",
        "301|moved",
        "418|teapot",
      })
  void garbageIsNoAnswer(int status, String body) throws Exception {
    answering = with(status, body == null ? "" : body);
    SiteReply.Unknown unknown = unknown();
    assertTrue(unknown.hopeless(), unknown::toString);
    assertFalse(unknown.undone(), unknown::toString);
    assertTrue(unknown.why().contains("not understood"), unknown::toString);
  }

  @Test
  void anAnswerToAnotherRequestIsNone() throws Exception {
    answering = with(200, result("plus_reserve", new UUID(1, 2), 0, "R17"));
    assertTrue(unknown().hopeless());
    answering = with(200, result("plus_cancel", ID, 0, "R17"));
    assertTrue(unknown().hopeless());
  }

  @ParameterizedTest
  @CsvSource({"429,false", "503,false", "504,false", "401,true", "403,true", "404,true"})
  void whatADoorRefuses(int status, boolean hopeless) throws Exception {
    answering = with(status, "{\"error\":{\"code\":15031,\"message\":\"not now\"}}");
    SiteReply.Unknown unknown = unknown();
    assertEquals("HTTP " + status + ", not now", unknown.why());
    assertEquals(hopeless, unknown.hopeless());
    assertEquals(hopeless, unknown.undone());
  }

  @Test
  void oneThatHangsIsLeftInTime() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    answering =
        asked -> {
          end.await();
          return PlayedServer.json(200, "{}");
        };
    SiteReply.Unknown silent = unknown();
    assertTrue(silent.why().endsWith("has not answered in 2 seconds"), silent::toString);
    assertFalse(silent.hopeless());
    answering = asked -> HttpAnswer.open(JSON, new HalfAnAnswer());
    SiteReply.Unknown half = unknown();
    assertTrue(half.why().endsWith("has not answered in 2 seconds"), half::toString);
    end.countDown();
  }

  /** One behind which nothing comes. */
  private static final class HalfAnAnswer implements AnswerSource {
    @Override
    public void begin(AnswerSink sink) {
      sink.offer(HALF);
    }

    @Override
    public void gone() {
      // Nothing is left to do.
    }
  }

  @Test
  void halfAnAnswerIsNone() throws Exception {
    answering =
        asked ->
            HttpAnswer.written(
                JSON,
                body -> {
                  body.write(HALF);
                  throw new IOException("cut");
                });
    assertFalse(unknown().hopeless());
  }

  @Test
  void anAnswerWithoutEndIsCut() throws Exception {
    byte[] piece = new byte[1 << 16];
    answering =
        asked ->
            HttpAnswer.written(
                JSON,
                body -> {
                  for (int i = 0; i < 1024; i++) {
                    body.write(piece);
                  }
                });
    assertTrue(unknown().why().contains("more than 1048576 bytes"));
  }

  @Test
  void whoCannotShowTheCertificateGetsNoToken() throws Exception {
    answering = with(200, result("plus_reserve", ID, 0, "R17"));
    site(server.port(), Optional.empty());
    SiteReply.Unknown unknown = unknown();
    assertTrue(unknown.why().contains("is not who it should be"), unknown::toString);
    assertTrue(unknown.hopeless() && unknown.undone());
    assertEquals(List.of(), server.requests());
  }

  @Test
  void nobodyListens() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    site(port, Optional.of(certificate));
    SiteReply.Unknown unknown = unknown();
    assertEquals("cannot connect to 127.0.0.1:" + port, unknown.why());
    assertFalse(unknown.hopeless());
  }

  @Test
  void aTokenThatOthersCanReadIsNotSent() throws Exception {
    answering = with(200, result("plus_reserve", ID, 0, "R17"));
    Files.setPosixFilePermissions(
        folder.resolve("token"), PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(
        "what is set up here for it cannot be used: ask an administrator",
        unknown().why(),
        "no user reads paths");
    assertEquals(List.of(), server.requests());
  }

  @Test
  void oneThatIsNotSetUp() throws Exception {
    SiteReply near = door.command("near", ID, 2, WORDS);
    assertEquals(
        new SiteReply.Unknown("it is not set up here: ask an administrator", true, true), near);
    assertFalse(door.knows("near"));
    assertTrue(door.knows("far"));
  }

  /** After the handshake what was asked for may have arrived. */
  @Test
  void aConnectionThatBreaksLaterMayHaveBeenHeard() throws Exception {
    answering =
        asked ->
            HttpAnswer.written(
                JSON,
                body -> {
                  throw new IOException("cut");
                });
    assertFalse(unknown().undone());
  }
}
