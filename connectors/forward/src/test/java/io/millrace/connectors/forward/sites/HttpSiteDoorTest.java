package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.connectors.forward.sites.SiteDoor.SiteReply;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The speaking part against a real server with TLS. */
class HttpSiteDoorTest {
  private static final String PASSWORD = "password";
  private static final UUID ID = new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0001L);
  private static final List<String> WORDS = List.of("plus_reserve", "-T", "--at", "P1=2");

  @TempDir static Path shared;
  private static SSLContext tls;

  /** Answers one request. */
  private interface Answering {
    void answer(HttpExchange asked) throws IOException;
  }

  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpsServer server;
  private Answering answering;
  @TempDir Path folder;
  private SiteDoor door;

  @BeforeAll
  static void certificate() throws Exception {
    Path store = shared.resolve("store.p12");
    List<String> keytool =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "door",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD);
    Process made = new ProcessBuilder(keytool).redirectErrorStream(true).start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, made.waitFor(), said);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    byte[] own = keys.getCertificate("door").getEncoded();
    Files.writeString(
        shared.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(own)
            + "\n-----END CERTIFICATE-----\n");
  }

  @BeforeEach
  void begin() throws Exception {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(threads);
    server.createContext(
        "/",
        asked -> {
          String body = new String(asked.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          requests.add(asked.getRequestMethod() + " " + asked.getRequestURI() + " " + body);
          requests.add(asked.getRequestHeaders().getFirst("Authorization"));
          requests.add("" + asked.getRequestHeaders().getFirst("Idempotency-Key"));
          answering.answer(asked);
        });
    server.start();
    Files.writeString(folder.resolve("token"), "a.b.c\n");
    Files.setPosixFilePermissions(
        folder.resolve("token"), PosixFilePermissions.fromString("rw-------"));
    site(server.getAddress().getPort(), "ca.pem");
  }

  @AfterEach
  void end() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void site(int port, String ca) throws IOException {
    Path file = folder.resolve("sites.properties");
    Files.writeString(
        file,
        "far.url=https://127.0.0.1:"
            + port
            + "\nfar.token_file=token\n"
            + (ca.isEmpty() ? "" : "far.ca=" + shared.resolve(ca) + "\n"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    door = new HttpSiteDoor(new SitesFile(file));
  }

  private static Answering with(int status, String body) {
    return asked -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      asked.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      asked.getResponseBody().write(bytes);
      asked.close();
    };
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
    assertTrue(
        requests.get(0).startsWith("POST /v1/commands/plus_reserve {\"arguments\":[\"-T\","),
        requests.get(0));
    assertEquals("Bearer a.b.c", requests.get(1));
    assertEquals(ID.toString(), requests.get(2));
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
    assertEquals("GET /v1/reservations/R17 ", requests.get(0));
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
    answering = asked -> await(end);
    SiteReply.Unknown silent = unknown();
    assertTrue(silent.why().endsWith("has not answered in 2 seconds"), silent::toString);
    assertFalse(silent.hopeless());
    answering =
        asked -> {
          asked.sendResponseHeaders(200, 1000);
          asked.getResponseBody().write("{\"exit_status\":0,".getBytes(StandardCharsets.UTF_8));
          asked.getResponseBody().flush();
          await(end);
        };
    SiteReply.Unknown half = unknown();
    assertTrue(half.why().endsWith("has not answered in 2 seconds"), half::toString);
    end.countDown();
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void halfAnAnswerIsNone() throws Exception {
    answering =
        asked -> {
          asked.sendResponseHeaders(200, 1000);
          asked.getResponseBody().write("{\"exit_status\":0".getBytes(StandardCharsets.UTF_8));
          asked.getResponseBody().flush();
          throw new IOException("cut");
        };
    assertFalse(unknown().hopeless());
  }

  @Test
  void anAnswerWithoutEndIsCut() throws Exception {
    answering =
        asked -> {
          asked.sendResponseHeaders(200, 0);
          byte[] piece = new byte[1 << 16];
          for (int i = 0; i < 1024; i++) {
            asked.getResponseBody().write(piece);
          }
          asked.close();
        };
    assertTrue(unknown().why().contains("more than 1048576 bytes"));
  }

  @Test
  void whoCannotShowTheCertificateGetsNoToken() throws Exception {
    answering = with(200, result("plus_reserve", ID, 0, "R17"));
    site(server.getAddress().getPort(), "");
    SiteReply.Unknown unknown = unknown();
    assertTrue(unknown.why().contains("is not who it should be"), unknown::toString);
    assertTrue(unknown.hopeless() && unknown.undone());
    assertEquals(List.of(), requests);
  }

  @Test
  void nobodyListens() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    site(port, "ca.pem");
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
    assertEquals(List.of(), requests);
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
        asked -> {
          throw new IOException("cut");
        };
    assertFalse(unknown().undone());
  }
}
