package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import io.millrace.server.client.ThinClient;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server seen from raw connections: bounds, garbage, and clients that misbehave. */
class SessionServerTest {
  private static final SessionTimeouts SHORT =
      new SessionTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5));
  private static final byte[] HELLO = {0, 1};

  @TempDir Path directory;

  private Path socket() {
    return directory.resolve("run/gateway.sock");
  }

  /** A client that has said who it is, and no more. */
  private Raw greeting() throws IOException {
    Raw raw = new Raw(socket());
    raw.hello(HELLO);
    return raw;
  }

  /** A client that has sent its opening at once: whoever waits with it is given up. */
  private Raw opened(String... args) throws IOException {
    Raw raw = new Raw(socket());
    raw.open(args);
    return raw;
  }

  private static SessionLimits limits(int sessions, int perUser, SessionTimeouts timeouts) {
    return new SessionLimits(sessions, perUser, 2, 2, 64 * 1024, timeouts);
  }

  /** A connection that speaks in bytes. */
  private static final class Raw implements AutoCloseable {
    private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    private final DataInputStream in;

    Raw(Path socket) throws IOException {
      channel.connect(UnixDomainSocketAddress.of(socket));
      in = new DataInputStream(Channels.newInputStream(channel));
    }

    void bytes(byte... bytes) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void frame(int type, byte... payload) throws IOException {
      bytes(
          ByteBuffer.allocate(5 + payload.length)
              .put((byte) type)
              .putInt(payload.length)
              .put(payload)
              .array());
    }

    void open(String... args) throws IOException {
      hello(HELLO);
      for (String arg : args) {
        frame(Frames.ARG, arg.getBytes(StandardCharsets.UTF_8));
      }
      frame(Frames.DIRECTORY, (byte) '/');
      frame(Frames.GO);
    }

    void hello(byte[] version) throws IOException {
      frame(Frames.HELLO, ByteBuffer.allocate(27).put(version).put(23, "qsub".getBytes()).array());
    }

    /** Type and payload as text of the next frame, or "end". */
    String next() throws IOException {
      int type = in.read();
      if (type < 0) {
        return "end";
      }
      byte[] payload = new byte[in.readInt()];
      in.readFully(payload);
      String text =
          type == Frames.EXIT
              ? Integer.toString(payload[0])
              : new String(payload, StandardCharsets.UTF_8);
      return Integer.toHexString(type) + " " + text;
    }

    /** All frames up to the end, also when the other side cut the connection. */
    List<String> rest() {
      List<String> all = new ArrayList<>();
      try {
        String next = next();
        while (!next.equals("end")) {
          all.add(next);
          next = next();
        }
      } catch (IOException e) {
        all.add("cut");
      }
      return all;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(2))
        .until(condition::getAsBoolean);
  }

  /** As a client would: turned away while earlier callers are still let in, it comes again. */
  private void assertServes() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    List<String> answer = ask("exit", "3");
    while ((answer.isEmpty() || answer.get(0).startsWith("2c ") || answer.get(0).equals("cut"))
        && System.nanoTime() < deadline) {
      answer = ask("exit", "3");
    }
    assertEquals(List.of("2b 3"), answer);
  }

  /** A caller may be turned away before all that he had to say was sent. */
  private static void assertTurnedAway(IOException failure) {
    String said = failure.getMessage();
    assertTrue(said.equals("Broken pipe") || said.startsWith("Connection reset"), said);
  }

  private List<String> ask(String... args) throws IOException {
    try (Raw raw = new Raw(socket())) {
      try {
        raw.open(args);
      } catch (IOException e) {
        assertTurnedAway(e);
      }
      return raw.rest();
    }
  }

  @Test
  void garbageIsRefusedAndTheServerGoesOn() throws Exception {
    SessionLimits limits = limits(8, 8, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, new TestCommands())) {
      try (Raw raw = new Raw(socket())) {
        raw.frame(0x7f, (byte) 1);
        assertEquals(
            List.of("21 millrace: malformed request: no hello: frame type 127\n", "2b 1"),
            raw.rest().subList(0, 2));
      }
      try (Raw raw = new Raw(socket())) {
        raw.bytes((byte) Frames.HELLO, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff);
        assertEquals(
            "21 millrace: malformed request: a frame of 4294967295 bytes, at most 262144\n",
            raw.next());
      }
      try (Raw raw = new Raw(socket())) {
        raw.hello(HELLO);
        raw.frame(Frames.CHUNK, (byte) 1);
        assertEquals("21 millrace: malformed request: frame type 16 in an opening\n", raw.next());
      }
      try (Raw raw = new Raw(socket())) {
        raw.hello(HELLO);
        raw.frame(Frames.GO);
        assertEquals(
            "21 millrace: malformed request: an opening without an absolute directory\n",
            raw.next());
      }
      try (Raw raw = new Raw(socket())) {
        raw.hello(new byte[] {0, 9});
        assertEquals(
            "21 millrace: this client speaks protocol version 9 and the gateway version 1: use the"
                + " client of the gateway's release\n",
            raw.next());
      }
      try (Raw raw = new Raw(socket())) {
        raw.hello(HELLO);
        raw.frame(Frames.ARG, new byte[65 * 1024]);
        assertEquals(
            "21 millrace: arguments and environment are larger than 65536 bytes\n", raw.next());
      }
      noise();
      await(() -> server.openSessions() == 0);
      assertServes();
    }
  }

  private void noise() throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      try (Raw raw = new Raw(socket())) {
        raw.bytes(bytes);
      } catch (IOException e) {
        assertTurnedAway(e);
      }
    }
  }

  @Test
  void anAnswerThatIsNoneEndsTheSession() throws Exception {
    SessionLimits limits = limits(8, 8, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, new TestCommands())) {
      try (Raw raw = new Raw(socket())) {
        raw.open("hash", "file", "3");
        assertEquals("23 \0\0\0\3file", raw.next());
        raw.frame(Frames.CHUNK, new byte[4]);
        assertEquals(List.of(), raw.rest());
      }
      try (Raw raw = new Raw(socket())) {
        raw.open("hash-stdin");
        assertEquals("24 \0\1\0\0", raw.next());
        raw.frame(Frames.HELLO);
        assertEquals(List.of(), raw.rest());
      }
      await(() -> server.openSessions() == 0);
      assertServes();
    }
  }

  @Test
  void clientsThatAreSilentOrDoNotReadAreGivenUp() throws Exception {
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    CommandHandler flood =
        call -> {
          if (!call.args().get(0).equals("flood")) {
            return new TestCommands().run(call);
          }
          try {
            call.streaming();
            while (true) {
              call.out("x".repeat(10_000));
            }
          } catch (ClientGoneException e) {
            end.complete(e);
            throw e;
          }
        };
    try (SessionServer server = SessionServer.start(socket(), limits(8, 8, SHORT), flood)) {
      try (Raw silent = new Raw(socket());
          Raw half = greeting();
          Raw mute = opened("hash", "file", "3");
          Raw idle = opened("hash-stdin");
          Raw slow = opened("flood")) {
        assertTrue(end.get(60, TimeUnit.SECONDS) instanceof ClientGoneException);
        await(() -> server.openSessions() == 0);
        assertEquals(List.of(), silent.rest());
        assertEquals(List.of(), half.rest());
        assertEquals("23 \0\0\0\3file", mute.next());
        assertEquals(List.of(), mute.rest());
        assertEquals("24 \0\1\0\0", idle.next());
        assertEquals(List.of(), idle.rest());
      }
      assertServes();
    }
  }

  @Test
  void aCommandSeesThatItsClientIsGone() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Boolean> before = new CompletableFuture<>();
    CompletableFuture<Boolean> after = new CompletableFuture<>();
    CommandHandler handler =
        call -> {
          before.complete(call.clientGone());
          asked.await();
          await(call::clientGone);
          after.complete(call.clientGone());
          return 0;
        };
    try (SessionServer server =
        SessionServer.start(socket(), limits(8, 8, SessionTimeouts.defaults()), handler)) {
      try (Raw raw = new Raw(socket())) {
        raw.open("wait");
        assertEquals(false, before.get(60, TimeUnit.SECONDS));
      }
      asked.countDown();
      assertEquals(true, after.get(60, TimeUnit.SECONDS));
      await(() -> server.openSessions() == 0);
    }
  }

  @Test
  void sessionsOfOneUserAreBoundedAndTheOthersComeAgain() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CommandHandler handler =
        call -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          try {
            gate.await();
            return 0;
          } finally {
            now.decrementAndGet();
          }
        };
    SessionLimits limits = limits(400, 16, SessionTimeouts.defaults());
    ExecutorService callers = Executors.newFixedThreadPool(200);
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      List<Future<String>> answers = new ArrayList<>();
      AtomicInteger turnedAway = new AtomicInteger();
      for (int i = 0; i < 200; i++) {
        answers.add(callers.submit(() -> firstAnswer(turnedAway)));
      }
      await(() -> now.get() == 16 && turnedAway.get() == 184);
      gate.countDown();
      int served = 0;
      for (Future<String> answer : answers) {
        String said = answer.get(60, TimeUnit.SECONDS);
        served += said.equals("2b 0") ? 1 : 0;
        assertTrue(said.matches("2b 0|2c user \\S+ has 16 commands running here.*"), said);
      }
      assertEquals(16, served);
      await(() -> server.openSessions() == 0);
      assertEquals(16, most.get());
    } finally {
      callers.shutdownNow();
    }
  }

  private String firstAnswer(AtomicInteger turnedAway) throws IOException {
    try (Raw raw = new Raw(socket())) {
      openOrBeTurnedAway(raw, "wait");
      String answer = raw.next();
      if (answer.startsWith("2c ")) {
        turnedAway.incrementAndGet();
      }
      return answer;
    }
  }

  /** The gateway may close before the whole opening was sent; its answer can still be read. */
  private static void openOrBeTurnedAway(Raw raw, String argument) throws IOException {
    try {
      raw.open(argument);
    } catch (IOException e) {
      assertTurnedAway(e);
    }
  }

  @Test
  void twoHundredClientsAtOnceAreAllServedInTheEnd() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CommandHandler handler =
        call -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          try {
            return call.stdin().read() < 0 ? 0 : 1;
          } finally {
            now.decrementAndGet();
          }
        };
    if (!ThinClient.available().contains(ThinClient.C)) {
      // Two hundred JVMs at once would test the machine.
      Assumptions.abort("no C client: two hundred of them are not tried");
    }
    SessionLimits limits = limits(8, 4, SessionTimeouts.defaults());
    ExecutorService callers = Executors.newFixedThreadPool(200);
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      List<Future<ThinClient.Result>> results = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        ProcessBuilder client = ThinClient.C.command(socket(), "qsub", "x");
        results.add(callers.submit(() -> ThinClient.run(client)));
      }
      // On a busy machine some wait for longer than two seconds.
      Set<String> said = Set.of("", "qsub: waiting for the gateway at " + socket() + "\n");
      for (Future<ThinClient.Result> result : results) {
        ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
        assertEquals(0, ended.status(), ended.err());
        assertTrue(said.contains(ended.err()) && ended.out().isEmpty(), ended.toString());
      }
      assertTrue(most.get() <= 4, most.get() + " at once");
      await(() -> server.openSessions() == 0);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void sessionsOverallAreBounded() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(2);
    CommandHandler handler =
        call -> {
          running.countDown();
          gate.await();
          return 0;
        };
    SessionLimits limits = limits(2, 2, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler);
        Raw first = opened("x");
        Raw second = opened("x")) {
      assertTrue(running.await(60, TimeUnit.SECONDS));
      try (Raw third = new Raw(socket())) {
        openOrBeTurnedAway(third, "x");
        assertEquals(
            "2c the gateway serves 2 commands at once, which is the most; try again when some have"
                + " ended",
            third.next());
      }
      gate.countDown();
      assertEquals(List.of("2b 0"), first.rest());
      assertEquals(List.of("2b 0"), second.rest());
      await(() -> server.openSessions() == 0);
    }
  }

  @Test
  void lastingCommandsTakeNoPlaceOfTheOthers() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger last = new AtomicInteger();
    CommandHandler handler =
        call -> {
          if (call.args().equals(List.of("lasts"))) {
            call.lasts();
            last.incrementAndGet();
            gate.await();
          }
          return 0;
        };
    SessionLimits limits = limits(1, 1, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler);
        Raw first = new Raw(socket())) {
      first.open("lasts");
      await(() -> last.get() == 1);
      try (Raw second = new Raw(socket())) {
        second.open("lasts");
        await(() -> last.get() == 2);
        assertEquals(2, server.openSessions());
        assertServed("lasts", "2c the gateway serves 2 commands at once of one user that may .*");
        assertServed("soon over", "2b 0");
        gate.countDown();
        assertEquals(List.of("2b 0"), first.rest());
        assertEquals(List.of("2b 0"), second.rest());
      }
      await(() -> server.openSessions() == 0);
      assertServed("lasts", "2b 0");
    }
  }

  /** The session before may not have left its place yet. */
  private void assertServed(String argument, String pattern) throws Exception {
    String said = "2c the gateway serves 1 commands";
    while (said.startsWith("2c the gateway serves 1 commands")) {
      try (Raw raw = new Raw(socket())) {
        openOrBeTurnedAway(raw, argument);
        said = raw.next();
      }
    }
    assertTrue(said.matches(pattern), said);
  }

  @Test
  void theSocketIsOpenToAllAndItsDirectoryToItsOwner() throws Exception {
    try (SessionServer server =
        SessionServer.start(socket(), SessionLimits.defaults(), new TestCommands())) {
      assertEquals("rw-rw-rw-", rights(socket()));
      assertEquals("rwxr-xr-x", rights(socket().getParent()));
      assertEquals("rw-------", rights(directory.resolve("run/gateway.sock.lock")));
      assertEquals(0, server.openSessions());
    }
    assertTrue(Files.notExists(socket()));
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aLiveGatewayIsLeftAloneAndADeadOnesSocketReplaced() throws Exception {
    Files.createDirectories(socket().getParent());
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket()));
      IOException refused =
          assertThrows(
              IOException.class,
              () -> SessionServer.start(socket(), SessionLimits.defaults(), new TestCommands()));
      assertEquals("another gateway answers at " + socket(), refused.getMessage());
    }
    assertTrue(Files.exists(socket()));
    // A process that was forked just then still has the closed socket, until it becomes another.
    await(() -> !listens());
    try (SessionServer server =
        SessionServer.start(socket(), SessionLimits.defaults(), new TestCommands())) {
      assertServes();
      IOException refused =
          assertThrows(
              IOException.class,
              () -> SessionServer.start(socket(), SessionLimits.defaults(), new TestCommands()));
      assertTrue(refused.getMessage().startsWith("another gateway"), refused.getMessage());
      assertServes();
      await(() -> server.openSessions() == 0);
    }
  }

  private boolean listens() {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
      return channel.isConnected();
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void boundsThatContradictAreRefused() {
    SessionTimeouts timeouts = SessionTimeouts.defaults();
    assertThrows(IllegalArgumentException.class, () -> limits(0, 1, timeouts));
    assertThrows(IllegalArgumentException.class, () -> limits(4, 5, timeouts));
    assertThrows(
        IllegalArgumentException.class, () -> new SessionLimits(4, 4, 2, 3, 1024, timeouts));
    assertThrows(IllegalArgumentException.class, () -> new SessionLimits(4, 4, 2, 2, 10, timeouts));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SessionTimeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    assertEquals(512, SessionLimits.defaults().sessions());
    assertEquals(128, SessionLimits.defaults().sessionsPerUser());
  }

  /** {@code --socket /tmp/gateway.sock} of a gateway that runs as root must not close /tmp. */
  @Test
  void aDirectoryThatIsOpenToOthersIsRefusedAndLeftAsItIs() throws Exception {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                SessionServer.start(
                    open.resolve("gateway.sock"), SessionLimits.defaults(), new TestCommands()));
    assertTrue(thrown.getMessage().startsWith("others may write in "), thrown.getMessage());
    assertEquals("rwxrwxrwx", rights(open));
  }

  /** A hundred waiting commands with all that the kernel lets them carry would fill the heap. */
  @Test
  void largeEnvironmentsOfOneUserHaveABoundTogether() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch openingsRead = new CountDownLatch(8);
    CommandHandler handler =
        call -> {
          openingsRead.countDown();
          gate.await();
          return 0;
        };
    String large = "x".repeat(60 * 1024);
    List<Raw> waiting = new ArrayList<>();
    SessionLimits limits = limits(32, 32, SessionTimeouts.defaults());
    try (SessionServer server = SessionServer.start(socket(), limits, handler)) {
      for (int i = 0; i < 8; i++) {
        waiting.add(new Raw(socket()));
        waiting.get(i).open(large);
      }
      assertTrue(openingsRead.await(60, TimeUnit.SECONDS), "eight commands run");
      try (Raw ninth = new Raw(socket())) {
        openOrBeTurnedAway(ninth, large);
        assertTrue(ninth.next().startsWith("2c the commands that run here have all the memory"));
      }
      gate.countDown();
      for (Raw raw : waiting) {
        assertEquals(List.of("2b 0"), raw.rest());
      }
      await(() -> server.openSessions() == 0);
      try (Raw later = new Raw(socket())) {
        later.open(large);
        assertEquals("2b 0", later.next(), "the room was given back");
      }
    } finally {
      for (Raw raw : waiting) {
        raw.close();
      }
    }
  }
}
