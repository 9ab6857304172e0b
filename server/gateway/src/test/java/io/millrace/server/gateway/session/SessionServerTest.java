package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server seen from raw connections: bounds, garbage, and clients that misbehave. */
class SessionServerTest extends SessionServerFixture {
  private static final SessionTimeouts SHORT =
      new SessionTimeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5));

  /** A client that has said who it is, and no more. */
  private Raw greeting() throws IOException {
    Raw raw = new Raw(socket());
    raw.hello(HELLO);
    return raw;
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
}
