package io.millrace.server.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Caller and listener at a Unix socket. */
@Timeout(60)
class LocalCallerTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(100, 100),
          0,
          new HttpLimits.HttpMemoryLimits(0, 0, 8 << 20),
          new HttpLimits.Workers(8, 100),
          new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));

  /** A program that listens at a socket, says so, and writes what it is told to a file. */
  private static final String STRANGER =
      """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.bind(sys.argv[1])
      os.chmod(sys.argv[1], 0o666)
      s.listen()
      told = open(sys.argv[1] + ".told", "wb", buffering=0)
      c = s.accept()[0]
      while True:
          b = c.recv(65536)
          if not b:
              break
          told.write(b)
      open(sys.argv[1] + ".end", "w").close()
      """;

  /** A program that asks at a socket and prints how many bytes of an answer come. */
  private static final String ASKER =
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      n = 0
      try:
          s.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
          n = len(s.recv(65536))
      except OSError:
          pass
      print(n)
      """;

  @TempDir Path folder;
  private final CountDownLatch silence = new CountDownLatch(1);
  private final LocalCaller caller = new LocalCaller(4 << 20);
  private Path socket;
  private HttpListener listener;

  private final HttpService echo =
      new HttpService() {
        @Override
        public HttpAnswer answer(ReceivedRequest request) {
          if (request.target().equals("/silent")) {
            try {
              silence.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          String text = request.target() + " " + request.header("X-Word").orElse("");
          byte[] body =
              request.target().equals("/large")
                  ? new byte[3 << 20]
                  : text.getBytes(StandardCharsets.UTF_8);
          return HttpAnswer.whole(request.target().equals("/none") ? 404 : 200, "text/plain", body);
        }

        @Override
        public HttpAnswer refusal(HttpRefusal why, String text) {
          return HttpAnswer.whole(why.status(), "text/plain", text.getBytes());
        }
      };

  @BeforeEach
  void open() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    socket = folder.resolve("s");
    listener = HttpListener.open(HttpListener.ListenerAddress.local("echo", socket), LIMITS, echo);
  }

  @AfterEach
  void close() {
    silence.countDown();
    caller.close();
    listener.close();
  }

  private LocalCaller.LocalAnswer get(String target) throws IOException, InterruptedException {
    return caller.get(socket, target, Map.of("X-Word", "secret"), LONG);
  }

  @Test
  void oneConnectionServesOneRequestAfterTheOther() throws Exception {
    for (int i = 0; i < 20; i++) {
      LocalCaller.LocalAnswer answer = get("/" + i);
      assertEquals(200, answer.status());
      assertEquals("/" + i + " secret", new String(answer.body(), StandardCharsets.UTF_8));
      assertEquals(Optional.of("text/plain"), answer.header("content-TYPE"));
    }
    assertEquals(1, listener.connections());
    assertEquals(404, get("/none").status());
    assertArrayEquals(new byte[3 << 20], get("/large").body());
  }

  @Test
  void aListenerThatWasReplacedIsAskedAgain() throws Exception {
    assertEquals(200, get("/a").status());
    listener.close();
    assertFalse(Files.exists(socket));
    assertThrows(IOException.class, () -> get("/b"));
    listener = HttpListener.open(HttpListener.ListenerAddress.local("echo", socket), LIMITS, echo);
    assertEquals(200, get("/c").status());
  }

  @Test
  void anAnswerThatDoesNotComeIsSaid() {
    IOException e =
        assertThrows(
            IOException.class,
            () -> caller.get(socket, "/silent", Map.of(), Duration.ofMillis(200)));
    assertEquals(socket + " gives no whole answer in time", e.getMessage());
  }

  @Test
  void whatAKilledProcessLeftIsReplacedAndWhatLivesIsNot() throws Exception {
    HttpListener.ListenerAddress place = HttpListener.ListenerAddress.local("second", socket);
    IOException taken =
        assertThrows(IOException.class, () -> HttpListener.open(place, LIMITS, echo));
    assertEquals("cannot listen at " + socket + ": another process does", taken.getMessage());
    assertEquals(200, get("/a").status());

    Path left = folder.resolve("left");
    Process killed =
        python(
            "root",
            "import os,socket,sys\ns=socket.socket(socket.AF_UNIX)\n" + "s.bind(sys.argv[1])",
            left);
    assertEquals(0, killed.waitFor());
    assertTrue(Files.exists(left));
    HttpListener.open(HttpListener.ListenerAddress.local("third", left), LIMITS, echo).close();

    Path file = Files.createFile(folder.resolve("file"));
    IOException no =
        assertThrows(
            IOException.class,
            () ->
                HttpListener.open(
                    HttpListener.ListenerAddress.local("fourth", file), LIMITS, echo));
    assertEquals("cannot listen at " + file + ": it is no socket", no.getMessage());
    assertTrue(Files.exists(file));
  }

  @Test
  void onlyItsAccountMayConnect() throws Exception {
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    superuser();
    // As in the moment before the permissions are set.
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals("0", output(python("nobody", ASKER, socket)));
    assertFalse(output(python("root", ASKER, socket)).equals("0"));
  }

  @Test
  void aStrangerWhoListensIsToldNothing() throws Exception {
    superuser();
    Path strange = folder.resolve("strange");
    Process stranger = python("nobody", STRANGER, strange);
    Path told = folder.resolve("strange.told");
    Awaitility.await().atMost(LONG).until(() -> Files.exists(told));
    StrangeListener e =
        assertThrows(
            StrangeListener.class,
            () -> caller.get(strange, "/", Map.of("X-Word", "secret"), LONG));
    assertEquals("nobody listens at " + strange + ", whose service it is not", e.getMessage());
    assertTrue(stranger.waitFor(LONG.toSeconds(), TimeUnit.SECONDS));
    assertEquals(0, Files.size(told));
  }

  private static void superuser() {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root"),
        "LocalCallerTest: SKIPPED: only root has another account");
  }

  private Process python(String account, String program, Path argument) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/usr/bin/python3", "-c", program, argument + "");
    if (account.equals("nobody")) {
      builder.command().addAll(0, java.util.List.of("setpriv", "--reuid=nobody", "--clear-groups"));
    }
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String output(Process process) throws IOException, InterruptedException {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return text.strip();
  }
}
