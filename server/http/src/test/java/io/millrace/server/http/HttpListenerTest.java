package io.millrace.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class HttpListenerTest {

  private static final Duration SHORT = Duration.ofMillis(1500);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final HttpLimits.HttpTimeLimits PATIENT =
      new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG);
  private static final HttpLimits.HttpTimeLimits WORK_IS_SHORT =
      new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, SHORT, LONG);
  private static final int PATIENCE_MS = 60_000;
  private static final int LARGE_BYTES = 8 << 20;

  private final CountDownLatch gate = new CountDownLatch(1);

  /** Slow answers that somebody works on, or has worked on. */
  private final AtomicInteger begun = new AtomicInteger();

  /** Answers without an end that are sent now. */
  private final AtomicInteger followed = new AtomicInteger();

  private final AnswerSource endless =
      new AnswerSource() {
        @Override
        public void begin(AnswerSink sink) {
          followed.incrementAndGet();
        }

        @Override
        public void gone() {
          followed.decrementAndGet();
        }
      };

  private HttpListener listener;

  /** Gives back what it was sent; /slow waits, /large is large, /closed needs no body. */
  private final HttpService echo =
      new HttpService() {
        @Override
        public Early early(ReceivedRequest head) {
          if (head.target().equals("/closed")) {
            return Early.refused(text(401, "closed"));
          }
          return Early.goOn(head.target().startsWith("/known"), Map.of("Mark", "m"));
        }

        @Override
        public HttpAnswer answer(ReceivedRequest request) throws InterruptedException {
          if (request.target().equals("/slow")) {
            begun.incrementAndGet();
            gate.await();
          }
          if (request.target().equals("/broken")) {
            throw new IllegalStateException("broken");
          }
          if (request.target().equals("/followed")) {
            return HttpAnswer.open("text/plain", endless);
          }
          if (request.target().equals("/huge")) {
            return HttpAnswer.whole(200, "text/plain", new byte[11 << 20]);
          }
          Optional<AnswerWriter> writer = writer(request.target());
          if (writer.isPresent()) {
            return HttpAnswer.written("text/plain", writer.get());
          }
          byte[] body = request.target().equals("/large") ? new byte[LARGE_BYTES] : request.body();
          return HttpAnswer.whole(200, "text/plain", body);
        }

        @Override
        public HttpAnswer refusal(HttpRefusal why, String text) {
          return text(why.status(), text);
        }
      };

  /** Writes much, a little, or fails. */
  private static Optional<AnswerWriter> writer(String target) {
    byte[] much = "w".repeat(LARGE_BYTES).getBytes(StandardCharsets.US_ASCII);
    return switch (target) {
      case "/written" -> Optional.of(body -> body.write(much));
      case "/few" -> Optional.of(body -> body.write(new byte[] {'f', 'e', 'w'}));
      case "/fails" ->
          Optional.of(
              body -> {
                body.write(1);
                throw new IllegalStateException("planted");
              });
      case "/fails-later" ->
          Optional.of(
              body -> {
                body.write(much);
                throw new IllegalStateException("planted");
              });
      default -> Optional.empty();
    };
  }

  private static HttpAnswer text(int status, String text) {
    return HttpAnswer.whole(status, "text/plain", text.getBytes(StandardCharsets.US_ASCII));
  }

  @AfterEach
  void close() {
    gate.countDown();
    if (listener != null) {
      listener.close();
    }
  }

  private void open(
      HttpLimits.Connections connections,
      HttpLimits.Workers workers,
      HttpLimits.HttpTimeLimits times)
      throws Exception {
    HttpLimits limits =
        new HttpLimits(
            connections,
            1000,
            new HttpLimits.HttpMemoryLimits(4_000, 4_000, 10 << 20),
            workers,
            times);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    listener = HttpListener.open(HttpListener.ListenerAddress.plain("test", any), limits, echo);
  }

  private void open() throws Exception {
    open(PATIENT);
  }

  private void open(HttpLimits.HttpTimeLimits times) throws Exception {
    open(new HttpLimits.Connections(10, 10), new HttpLimits.Workers(2, 2), times);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(listener.address());
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  private static void await(String what, BooleanSupplier condition) {
    Awaitility.await(what)
        .atMost(Duration.ofMillis(PATIENCE_MS))
        .pollInterval(Duration.ofMillis(2))
        .until(condition::getAsBoolean);
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String rest(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }

  private String asked(String request) throws IOException {
    try (Socket socket = connect()) {
      say(socket, request);
      return rest(socket);
    }
  }

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
        + body.length()
        + "\r\nConnection: close\r\n\r\n"
        + body;
  }

  @Test
  void aRequestIsAnswered() throws Exception {
    open();
    String answer = asked(post("/a", "hello"));
    assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
    assertTrue(answer.endsWith("\r\n\r\nhello"), answer);
    await("nothing is held", () -> listener.heldBytes() == 0);
  }

  @Test
  void whoAsksFirstWhetherHisBodyIsWantedIsAnsweredToo() throws Exception {
    open();
    try (Socket socket = connect()) {
      String head = "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n";
      say(socket, head + "Connection: close\r\nContent-Length: 4\r\n\r\nbody");
      String said = rest(socket);
      assertTrue(said.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), said);
    }
  }

  @Test
  void requestsOfOneConnectionAreAnsweredInTheirOrder() throws Exception {
    open();
    try (Socket socket = connect()) {
      String first = post("/a", "one").replace("close", "keep-alive");
      say(socket, first + first.replace("one", "two") + post("/a", "end"));
      String answers = rest(socket);
      assertTrue(answers.matches("(?s).*\r\n\r\none.*\r\n\r\ntwo.*\r\n\r\nend"), answers);
    }
  }

  @Test
  void aBodyBeyondTheBoundIsNotRead() throws Exception {
    open();
    String head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n";
    assertTrue(asked(head).startsWith("HTTP/1.1 413 "));
    String chunked = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n";
    assertTrue(asked(chunked + "x".repeat(1001)).startsWith("HTTP/1.1 413 "));
  }

  @Test
  void whoMayNotAskIsToldBeforeHisBody() throws Exception {
    open();
    String head = "POST /closed HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n";
    assertTrue(asked(head).startsWith("HTTP/1.1 401 "));
  }

  @Test
  void everyAnswerHasTheMarksOfItsRequest() throws Exception {
    open();
    String broken = asked(post("/broken", ""));
    assertTrue(broken.startsWith("HTTP/1.1 500 ") && broken.contains("\r\nMark: m\r\n"), broken);
    String none = asked(post("/a", "b").replace("close", "keep-alive") + "nonsense\r\n\r\n");
    assertTrue(
        none.matches("(?s)(?i).*mark: m.*400 .*") && !none.matches("(?s).* 400 .*ark: m.*"), none);
  }

  @Test
  void strangersTakeNoRoomFromThoseWhoAreKnown() throws Exception {
    open();
    String part = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(999);
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        strangers.add(connect());
        say(strangers.get(i), part);
      }
      await("their bodies are there", () -> listener.heldBytes() == 4 * 999);
      assertTrue(asked(post("/a", "x".repeat(100))).startsWith("HTTP/1.1 503 "));
      assertTrue(asked(post("/known", "x".repeat(1000))).startsWith("HTTP/1.1 200 "));
    } finally {
      for (Socket socket : strangers) {
        socket.close();
      }
    }
  }

  @Test
  void anAnswerForWhichThereIsNoRoomIsNotDroppedInSilence() throws Exception {
    open();
    String answer = asked(post("/huge", ""));
    assertTrue(answer.startsWith("HTTP/1.1 503 ") && answer.contains("\r\nMark: m\r\n"), answer);
    await("nothing is held", () -> listener.heldBytes() == 0);
  }

  @Test
  void whatIsNoHttpIsRefused() throws Exception {
    open();
    assertTrue(asked("\u0016\u0003\u0001 nonsense\r\n\r\n").startsWith("HTTP/1.1 400 "));
    String line = "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n";
    assertTrue(asked(line).startsWith("HTTP/1.1 400 "));
  }

  @Test
  void aSlowClientIsCutOff() throws Exception {
    open(new HttpLimits.HttpTimeLimits(LONG, SHORT, SHORT, LONG, SHORT));
    long begin = System.nanoTime();
    try (Socket head = connect();
        Socket body = connect()) {
      say(head, "POST /a HT");
      say(body, post("/a", "hello").replace("hello", "hel"));
      for (Socket each : List.of(head, body)) {
        assertEquals("", rest(each));
        long ms = (System.nanoTime() - begin) / 1_000_000;
        assertTrue(ms >= SHORT.toMillis(), ms + " ms");
      }
    }
    await("they are gone", () -> listener.connections() == 0);
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(64 << 10);
      socket.setSoTimeout(PATIENCE_MS);
      socket.connect(listener.address());
      say(socket, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      assertEquals('H', socket.getInputStream().read());
      await("nobody waits for him", () -> listener.connections() == 0);
      // It got what the systems hold between the two, and then the end.
      assertTrue(socket.getInputStream().readAllBytes().length < LARGE_BYTES);
    } catch (java.net.SocketException e) {
      assertTrue(e.getMessage().contains("reset"), e.getMessage());
    }
    await("nothing is held", () -> listener.heldBytes() == 0);
  }

  @Test
  void whoIsIdleHasTheTimeOfThoseWhoAreIdle() throws Exception {
    open(new HttpLimits.HttpTimeLimits(Duration.ofSeconds(2), LONG, LONG, LONG, LONG));
    try (Socket silent = connect();
        Socket asks = connect()) {
      say(asks, post("/a", "b").replace("close", "keep-alive"));
      assertEquals("", rest(silent));
      assertTrue(rest(asks).endsWith("b"));
    }
  }

  @Test
  void workThatTakesTooLongIsInterrupted() throws Exception {
    open(WORK_IS_SHORT);
    String answer = asked(post("/slow", ""));
    assertTrue(answer.startsWith("HTTP/1.1 504 ") && answer.contains("\r\nMark: m\r\n"), answer);
    assertTrue(asked(post("/a", "b")).endsWith("b"));
  }

  @Test
  void aWriterWhoseClientTakesNothingIsInterrupted() throws Exception {
    open(WORK_IS_SHORT);
    try (Socket socket = connect()) {
      socket.setReceiveBufferSize(64 << 10);
      say(socket, "GET /written HTTP/1.1\r\nHost: x\r\n\r\n");
      assertEquals('H', socket.getInputStream().read());
      await("nobody waits for him", () -> listener.connections() == 0);
    }
    assertTrue(asked(post("/a", "b")).endsWith("b"));
  }

  @Test
  void aSmallWrittenAnswerHasALengthAndALargeOneComesInChunks() throws Exception {
    open();
    String small = asked(post("/few", ""));
    assertTrue(small.contains("\r\ncontent-length: 3\r\n"), small);
    assertTrue(small.endsWith("\r\n\r\nfew"), small);
    String large = asked(post("/written", ""));
    assertTrue(large.contains("\r\ntransfer-encoding: chunked\r\n"), large.substring(0, 200));
    assertTrue(large.contains("\r\nMark: m\r\n") && large.endsWith("\r\n0\r\n\r\n"));
    assertEquals(LARGE_BYTES, large.chars().filter(c -> c == 'w').count());
  }

  @Test
  void aWriterThatFailsAtOnceIsAnsweredAndOneThatFailsLaterIsBrokenOff() throws Exception {
    open();
    assertTrue(asked(post("/fails", "")).startsWith("HTTP/1.1 500 "));
    String later = asked(post("/fails-later", ""));
    assertTrue(later.startsWith("HTTP/1.1 200 ") && !later.endsWith("\r\n0\r\n\r\n"));
  }

  @Test
  void beyondTheWorkersAndThoseWhoWaitOthersAreTurnedAway() throws Exception {
    open(new HttpLimits.Connections(10, 10), new HttpLimits.Workers(1, 1), PATIENT);
    List<Socket> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        waiting.add(connect());
        say(waiting.get(i), post("/slow", ""));
        int busy = i + 1;
        await(busy + " are there", () -> begun.get() + listener.waiting() == busy);
      }
      assertTrue(asked(post("/a", "b")).startsWith("HTTP/1.1 503 "));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  @Test
  void connectionsThatWorkAreCounted() throws Exception {
    open(new HttpLimits.Connections(10, 2), new HttpLimits.Workers(2, 2), PATIENT);
    try (Socket first = connect();
        Socket second = connect()) {
      say(first, post("/slow", "b"));
      say(second, post("/slow", "b"));
      await("both are carried out", () -> begun.get() == 2);
      try (Socket third = connect()) {
        assertEquals("", closed(third));
      }
      gate.countDown();
      assertTrue(rest(first).endsWith("b"));
      assertTrue(rest(second).endsWith("b"));
    }
  }

  /** Of all users of a host the address is the same. */
  @Test
  void whoSaysNothingKeepsNobodyOut() throws Exception {
    for (int all : new int[] {4, 100}) {
      open(new HttpLimits.Connections(all, 4), new HttpLimits.Workers(2, 2), PATIENT);
      List<Socket> silent = new ArrayList<>();
      try {
        for (int i = 0; i < 40; i++) {
          silent.add(connect());
          say(silent.get(i), i % 2 == 0 ? "" : post("/a", "body").substring(0, 60));
        }
        for (int i = 0; i < 5; i++) {
          assertTrue(asked(post("/a", "b")).endsWith("b"));
        }
        assertEquals("", closed(silent.get(0)));
        await("the bound holds", () -> listener.connections() <= 4);
      } finally {
        for (Socket socket : silent) {
          socket.close();
        }
        listener.close();
      }
    }
  }

  @Test
  void whoTakesNoAnswerKeepsNobodyOut() throws Exception {
    open(new HttpLimits.Connections(10, 2), new HttpLimits.Workers(2, 2), PATIENT);
    try (Socket first = connect();
        Socket second = connect()) {
      say(first, post("/large", ""));
      say(second, post("/written", ""));
      await("an answer is held", () -> listener.heldBytes() > 0);
      assertEquals('H', second.getInputStream().read());
      assertTrue(asked(post("/a", "b")).endsWith("b"));
    }
  }

  private static String closed(Socket socket) throws IOException {
    try {
      return rest(socket);
    } catch (java.net.SocketException e) {
      return "";
    }
  }

  @Test
  void oneMoreRequestEndsWhoFollows() throws Exception {
    open();
    try (Socket socket = connect()) {
      String request = "GET /followed HTTP/1.1\r\nHost: x\r\n\r\n";
      say(socket, request);
      assertEquals('H', socket.getInputStream().read());
      await("it is followed", () -> followed.get() == 1);
      say(socket, request);
      assertTrue(rest(socket).startsWith("TTP/1.1 200 OK\r\n"));
      await("its source knows", () -> followed.get() == 0);
    }
  }

  @Test
  void aFailureIsToldAndTheDoorGoesOn() throws Exception {
    open();
    assertTrue(asked(post("/broken", "")).startsWith("HTTP/1.1 500 "));
    assertTrue(asked(post("/a", "b")).endsWith("b"));
  }
}
