package io.millrace.server.web.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.web.route.Answer;
import io.millrace.server.web.route.Sink;
import io.millrace.server.web.route.Source;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DoorTest {

  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int PATIENCE_MS = 60_000;

  private final CountDownLatch gate = new CountDownLatch(1);

  /** Slow answers that somebody works on, or has worked on. */
  private final AtomicInteger begun = new AtomicInteger();

  /** Answers without an end that are sent now. */
  private final AtomicInteger followed = new AtomicInteger();

  private final Source endless =
      new Source() {
        @Override
        public void begin(Sink sink) {
          followed.incrementAndGet();
        }

        @Override
        public void gone() {
          followed.decrementAndGet();
        }
      };

  private Door door;

  /** Gives back what it was sent; /slow waits, /large is large, /closed needs no body. */
  private final Service echo =
      new Service() {
        @Override
        public Early early(Incoming head) {
          if (head.target().equals("/closed")) {
            return Early.refused(problem(401, 1, "closed"));
          }
          return Early.goOn(head.target().startsWith("/known"), Map.of("Mark", "m"));
        }

        @Override
        public Answer answer(Incoming request) throws InterruptedException {
          if (request.target().equals("/slow")) {
            begun.incrementAndGet();
            gate.await();
          }
          if (request.target().equals("/broken")) {
            throw new IllegalStateException("broken");
          }
          if (request.target().equals("/followed")) {
            return new Answer(200, "text/plain", new byte[0], Map.of(), Optional.of(endless));
          }
          if (request.target().equals("/huge")) {
            return Answer.whole(200, "text/plain", new byte[11 << 20]);
          }
          byte[] body = request.target().equals("/large") ? new byte[8 << 20] : request.body();
          return Answer.whole(200, "text/plain", body);
        }
      };

  @AfterEach
  void close() {
    gate.countDown();
    if (door != null) {
      door.close();
    }
  }

  private void open(
      DoorLimits.Connections connections, DoorLimits.Workers workers, Duration longest)
      throws Exception {
    DoorLimits limits =
        new DoorLimits(
            connections,
            1000,
            new DoorLimits.Memory(4_000, 4_000, 10 << 20),
            workers,
            new DoorLimits.Times(longest, longest, longest, longest));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    door = Door.open(any, Optional.empty(), limits, echo);
  }

  private void open() throws Exception {
    open(new DoorLimits.Connections(10, 10), new DoorLimits.Workers(2, 2, 2), LONG);
  }

  /** For a test of what happens when somebody is too slow. */
  private void openImpatiently() throws Exception {
    open(new DoorLimits.Connections(10, 10), new DoorLimits.Workers(2, 2, 2), SHORT);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(door.address());
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not in time: " + what);
      TimeUnit.MILLISECONDS.sleep(2);
    }
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
    await("nothing is held", () -> door.heldBytes() == 0);
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
    openImpatiently();
    String broken = asked(post("/broken", ""));
    assertTrue(broken.startsWith("HTTP/1.1 500 ") && broken.contains("\r\nMark: m\r\n"), broken);
    String late = asked(post("/slow", ""));
    assertTrue(late.startsWith("HTTP/1.1 504 ") && late.contains("\r\nMark: m\r\n"), late);
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
      await("their bodies are there", () -> door.heldBytes() == 4 * 999);
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
    await("nothing is held", () -> door.heldBytes() == 0);
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
    openImpatiently();
    long begin = System.nanoTime();
    assertEquals("", asked("POST /a HT"));
    assertEquals("", asked(post("/a", "hello").replace("hello", "hel")));
    long ms = (System.nanoTime() - begin) / 1_000_000;
    assertTrue(ms >= 500, ms + " ms");
    await("they are gone", () -> door.connections() == 0);
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(64 << 10);
      socket.setSoTimeout(PATIENCE_MS);
      socket.connect(door.address());
      say(socket, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      assertEquals('H', socket.getInputStream().read());
      await("nobody waits for him", () -> door.connections() == 0);
      // It got what the systems hold between the two, and then the end.
      assertTrue(socket.getInputStream().readAllBytes().length < 8 << 20);
    } catch (java.net.SocketException e) {
      assertTrue(e.getMessage().contains("reset"), e.getMessage());
    }
    await("nothing is held", () -> door.heldBytes() == 0);
  }

  @Test
  void workThatTakesTooLongIsInterrupted() throws Exception {
    openImpatiently();
    String answer = asked(post("/slow", ""));
    assertTrue(answer.startsWith("HTTP/1.1 504 "), answer);
    assertTrue(asked(post("/a", "b")).endsWith("b"));
  }

  @Test
  void beyondTheWorkersAndThoseWhoWaitOthersAreTurnedAway() throws Exception {
    open(new DoorLimits.Connections(10, 10), new DoorLimits.Workers(1, 1, 1), LONG);
    List<Socket> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        waiting.add(connect());
        say(waiting.get(i), post("/slow", ""));
        int busy = i + 1;
        await(busy + " are there", () -> begun.get() + door.waiting() == busy);
      }
      assertTrue(asked(post("/a", "b")).startsWith("HTTP/1.1 503 "));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  @Test
  void connectionsAreCounted() throws Exception {
    open(new DoorLimits.Connections(10, 2), new DoorLimits.Workers(1, 1, 1), LONG);
    try (Socket first = connect();
        Socket second = connect();
        Socket third = connect()) {
      say(third, post("/a", "b"));
      assertEquals("", closed(third));
      // One after the other: of one user's requests one is carried out at a time.
      say(first, post("/a", "b"));
      assertTrue(rest(first).endsWith("b"));
      say(second, post("/a", "b"));
      assertTrue(rest(second).endsWith("b"));
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
