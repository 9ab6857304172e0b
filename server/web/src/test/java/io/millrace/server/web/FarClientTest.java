package io.millrace.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.door.PlainRequest;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.server.client.ClientMain;
import io.millrace.server.gateway.session.Invocation;
import io.millrace.server.gateway.session.RecordedSessions;
import io.millrace.server.gateway.session.SessionLimits;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.PlayedServer;
import io.millrace.server.http.TestCertificate;
import io.millrace.server.web.credential.Accounts;
import io.millrace.server.web.credential.AuditLog;
import io.millrace.server.web.credential.Credentials;
import io.millrace.server.web.credential.TokenFolder;
import io.millrace.server.web.route.AboutRoutes;
import io.millrace.server.web.route.Route;
import io.millrace.server.web.route.Routes;
import io.millrace.server.web.route.SessionRoutes;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The client in Java as a process of its own, over TLS, at a door whose command is known. */
@Execution(ExecutionMode.CONCURRENT)
class FarClientTest {

  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final String USER = System.getProperty("user.name");

  /** What a client starts quickly with; it does not live long enough for more. */
  private static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData");

  @TempDir static Path shared;
  private static TestCertificate certificate;

  @TempDir Path folder;
  private HttpListener door;
  private Credentials credentials;
  private AuditLog audit;
  private String token;
  private final List<UUID> ids = new CopyOnWriteArrayList<>();

  /** Reads its standard input and a file in pieces, and writes both into another one. */
  private final Set<String> zones = ConcurrentHashMap.newKeySet();

  private int join(Invocation invocation) throws IOException {
    ids.add(invocation.commandId());
    zones.add(invocation.environment().get("MILLRACE_CLIENT_ZONE"));
    invocation.out("joining for " + invocation.user() + "\n");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(invocation.stdin().readAllBytes());
    try (InputStream in = invocation.openFile(invocation.args().get(0))) {
      all.write(in.readAllBytes());
    }
    invocation.writeFile(invocation.args().get(1), all.toByteArray(), false);
    if (invocation.args().get(0).equals("greedy")) {
      invocation.readFile(".ssh/id_ed25519", 1 << 20);
    }
    invocation.writeFile("log", "one more\n".getBytes(StandardCharsets.UTF_8), true);
    invocation.err(all.size() + " bytes\n");
    return 7;
  }

  @BeforeEach
  void open() throws Exception {
    TokenFolder tokens = new TokenFolder(folder.resolve("home"));
    tokens.open("cluster-1");
    token = tokens.create(USER, Duration.ofHours(1), Instant.now()).text();
    Clock clock = Clock.systemUTC();
    audit = new AuditLog(folder.resolve("audit.log"), 1 << 20, 1, clock);
    credentials =
        new Credentials(
            "cluster-1",
            tokens,
            new Credentials.MungeSettings(folder.resolve("no-munge").toString(), false),
            new Accounts(clock),
            audit);
    List<Route> routes = new ArrayList<>();
    routes.addAll(new AboutRoutes("cluster-1", "0", () -> null).routes());
    RecordedSessions sessions =
        new RecordedSessions(SessionLimits.defaults(), this::join, new SharedBytes(1 << 20));
    routes.addAll(new SessionRoutes(sessions).routes());
    WebService service =
        new WebService(
            new Routes(routes), credentials, (user, peer) -> Optional.empty(), 10, clock);
    door =
        HttpListener.open(
            new HttpListener.ListenerAddress(
                "test", ANY, Optional.of(Certificate.of(certificate.chain(), certificate.key()))),
            WebGateway.limits(ConnectionBounds.usual().http()),
            service);
  }

  @AfterEach
  void close() throws Exception {
    door.close();
    credentials.close();
    audit.close();
  }

  @BeforeAll
  static void certificate() throws Exception {
    certificate = TestCertificate.of(shared, "dns:localhost,ip:127.0.0.1");
  }

  private record Said(int status, String out, String err) {}

  private static Said run(
      Path folder, Map<String, String> environment, String input, String... command)
      throws Exception {
    Path in = Files.writeString(folder.resolve("in"), input);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertTrue(process.waitFor(120, TimeUnit.SECONDS));
    return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static Path classes(Class<?> of) throws URISyntaxException {
    return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Said client(Map<String, String> environment, String input) throws Exception {
    return client(environment, input, "from", "to", "log");
  }

  private Said client(Map<String, String> environment, String input, String... arguments)
      throws Exception {
    String classes = classes(ClientMain.class) + File.pathSeparator + classes(PlainRequest.class);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(List.of(java, "-cp", classes, ClientMain.class.getName(), "join"));
    command.addAll(1, QUICK);
    command.addAll(List.of(arguments));
    return run(folder, environment, input, command.toArray(String[]::new));
  }

  private Map<String, String> environment(String name, String value) {
    return Map.of(
        "MILLRACE_URL",
        "https://localhost:" + door.address().getPort(),
        "MILLRACE_CLIENT_TIMEOUT_S",
        "1",
        name,
        value,
        "MILLRACE_TOKEN",
        token);
  }

  @Test
  void filesAreReadAndWrittenWhereTheClientIs() throws Exception {
    String large = "0123456789".repeat(20_000);
    Files.writeString(folder.resolve("from"), large);
    Files.writeString(folder.resolve("log"), "before\n");
    Said said = client(environment("MILLRACE_CA", certificate.chain().toString()), "typed\n");
    assertEquals(new Said(7, "joining for " + USER + "\n", "200006 bytes\n"), said);
    assertEquals("typed\n" + large, Files.readString(folder.resolve("to")));
    // Though the command ran many times, under one id, each write was made once.
    assertEquals("before\none more\n", Files.readString(folder.resolve("log")));
    assertTrue(ids.size() > 5, ids.toString());
    assertEquals(Set.of(TimeZone.getDefault().getID()), zones);
    assertEquals(1, ids.stream().distinct().count());
  }

  @Test
  void whatIsMissingIsSaidWhereTheClientIs() throws Exception {
    Said said = client(environment("MILLRACE_CA", certificate.chain().toString()), "");
    assertEquals(1, said.status());
    assertEquals("join: No such file or directory\n", said.err());
  }

  @Test
  void onlyFilesThatTheCommandLineNamesAreTouched() throws Exception {
    Files.writeString(folder.resolve("greedy"), "");
    Files.createDirectory(folder.resolve(".ssh"));
    Files.writeString(folder.resolve(".ssh/id_ed25519"), "secret");
    Said said =
        client(
            environment("MILLRACE_CA", certificate.chain().toString()), "", "greedy", "to", "log");
    assertEquals(1, said.status());
    assertTrue(
        said.err()
            .endsWith("asked for a file that the command line does not name: .ssh/id_ed25519\n"),
        said.toString());
  }

  @Test
  void aTokenDoesNotTravelInTheClearAndIsNotForOthersToRead() throws Exception {
    String clear = "http://localhost:" + door.address().getPort();
    Said said = client(Map.of("MILLRACE_URL", clear, "MILLRACE_TOKEN", token), "");
    assertEquals(1, said.status());
    assertTrue(said.err().contains("a token would travel in the clear"), said.toString());
    Path file = Files.writeString(folder.resolve("token"), token);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Said open = client(environment("MILLRACE_TOKEN_FILE", file.toString()), "");
    assertTrue(open.err().contains("can be read by others: chmod 600 it"), open.toString());
  }

  @Test
  void aDoorThatNobodyVouchesForIsNotSpokenTo() throws Exception {
    Said said = client(environment("COLUMNS", "80"), "");
    assertTrue(said.err().startsWith("join: cannot connect to server"), said.toString());
    assertTrue(said.err().contains("unable to find valid certification path"), said.toString());
    assertEquals(0, ids.size());
  }

  @Test
  void anotherTokenIsNotTaken() throws Exception {
    token = token.substring(0, token.length() - 10) + "AAAAAAAAAA";
    Said said = client(environment("MILLRACE_CA", certificate.chain().toString()), "");
    assertEquals(1, said.status());
    assertTrue(said.err().contains("does not take our token"), said.toString());
    assertTrue(Files.readString(folder.resolve("audit.log")).contains("reason=signature"));
  }

  /** A proxy whose door is not there for the first requests. */
  private Said throughProxy(int away, AtomicInteger asked, String timeoutS) throws Exception {
    int[] statuses = {503, 504, 429};
    PlayedServer.PlayedAnswers answers =
        request -> {
          if (request.target().equals("/v1/session")) {
            return PlayedServer.json(403, "{\"error\":{\"code\":1,\"message\":\"not you\"}}");
          }
          int number = asked.getAndIncrement();
          return number >= away
              ? PlayedServer.json(200, "{\"cluster\":\"c\"}")
              : PlayedServer.json(statuses[number % statuses.length], "<h1>wait</h1>");
        };
    try (PlayedServer proxy = new PlayedServer(Optional.empty(), answers)) {
      String url = "http://127.0.0.1:" + proxy.port();
      return client(
          Map.of(
              "MILLRACE_URL", url, "MILLRACE_CLIENT_TIMEOUT_S", timeoutS, "MILLRACE_TOKEN", token),
          "");
    }
  }

  @Test
  void aDoorThatIsNotThereYetIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Said said = throughProxy(3, asked, "60");
    assertEquals("join: not you\n", said.err());
    assertEquals(4, asked.get());
  }

  @Test
  void aDoorThatStaysAwayIsGivenUp() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Said said = throughProxy(Integer.MAX_VALUE, asked, "1");
    assertTrue(said.err().startsWith("join: cannot connect to server "), said.toString());
    assertTrue(said.err().contains("(HTTP "), said.toString());
    assertTrue(asked.get() > 1, asked.toString());
  }

  @Test
  void nonsenseInTheEnvironmentIsNamed() throws Exception {
    Said said = client(Map.of("MILLRACE_URL", "ftp://x"), "");
    assertEquals(1, said.status());
    assertTrue(said.err().startsWith("join: MILLRACE_URL=ftp://x: give"), said.toString());
    Said ca = client(environment("MILLRACE_CA", "/no/such/file"), "");
    assertEquals("join: MILLRACE_CA=/no/such/file: No such file or directory\n", ca.err());
  }

  @Test
  void aKeyThatIsOpenToOthersIsRefused() throws Exception {
    Path chain = certificate.chain();
    Path key = certificate.key();
    Path copy = Files.copy(key, folder.resolve("key.pem"));
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
    IOException open = assertThrows(IOException.class, () -> Certificate.of(chain, copy));
    assertTrue(open.getMessage().endsWith("is open to others: give it mode 0600"));
    assertThrows(IOException.class, () -> Certificate.of(key, chain));
    assertThrows(IOException.class, () -> Certificate.of(chain, folder.resolve("none")));
  }

  @Test
  void plainHttpStaysOnThisHost() {
    assertEquals(8080, ListenAddress.parse("8080", false).getPort());
    assertTrue(ListenAddress.parse("127.0.0.1:1", false).getAddress().isLoopbackAddress());
    assertTrue(ListenAddress.parse("[::1]:1", false).getAddress().isLoopbackAddress());
    for (String open : List.of("0.0.0.0:1", "[::]:1", "192.0.2.1:1")) {
      assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(open, false));
      assertEquals(1, ListenAddress.parse(open, true).getPort());
    }
    for (String nonsense : List.of("", "x", ":1", "1:", "65536", "a b:1", "h:1:2")) {
      assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(nonsense, true));
    }
  }
}
