package io.millrace.server.streams.answer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.MemoryFolder;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways at the server's socket. */
final class LocalLinesTest {
  private static final String TOKEN = "t0ken";

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private Path socket;
  private LocalLines lines;

  @BeforeEach
  void open() throws IOException {
    socket = folder.resolve("answers.sock");
    lines = LocalLines.open(socket, TOKEN);
  }

  @AfterEach
  void close() {
    lines.close();
  }

  private SocketChannel connect(int partition, String token) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    byte[] shown = token.getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.allocate(4 + shown.length).putInt(partition).put(shown).flip());
    return channel;
  }

  private SocketChannel connected(int partition) throws IOException {
    SocketChannel channel = connect(partition, TOKEN);
    while (!lines.takes(partition)) {
      Thread.onSpinWait();
    }
    return channel;
  }

  private static byte[] read(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    while (into.hasRemaining() && channel.read(into) >= 0) {
      Thread.onSpinWait();
    }
    return into.array();
  }

  @Test
  void aGatewayHearsWhatIsToldToItsPartition() throws IOException {
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    assertFalse(lines.takes(3));
    try (SocketChannel three = connected(3);
        SocketChannel four = connected(4)) {
      lines.tell(3, new byte[] {1, 2});
      lines.tell(4, new byte[] {3});
      lines.tell(5, new byte[] {9});
      lines.tell(3, new byte[] {4});
      assertArrayEquals(new byte[] {1, 2, 4}, read(three, 3));
      assertArrayEquals(new byte[] {3}, read(four, 1));
    }
  }

  @Test
  void whoDoesNotShowTheTokenIsToldNothing() throws IOException {
    try (SocketChannel stranger = connect(3, "taken")) {
      assertEquals(-1, stranger.read(ByteBuffer.allocate(1)));
      assertFalse(lines.takes(3));
    }
  }

  @Test
  void theLaterOneOfTwoIsTold() throws IOException {
    try (SocketChannel first = connected(3);
        SocketChannel second = connect(3, TOKEN)) {
      assertEquals(-1, first.read(ByteBuffer.allocate(1)));
      lines.tell(3, new byte[] {1});
      assertArrayEquals(new byte[] {1}, read(second, 1));
    }
  }

  @Test
  void whoHasGoneIsNotPromisedAnything() throws IOException {
    connected(3).close();
    while (lines.takes(3)) {
      Thread.onSpinWait();
    }
    lines.tell(3, new byte[] {1});
  }

  /** Its kernel then resets the connection, where it else ends it. */
  @Test
  void whoGoesWithAnswersUnreadIsNotPromisedAnythingEither() throws IOException {
    SocketChannel gateway = connected(3);
    lines.tell(3, new byte[] {1});
    gateway.close();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (lines.takes(3) && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertFalse(lines.takes(3));
  }

  @Test
  void whatIsNotTakenAtOnceFollows() throws IOException {
    try (SocketChannel slow = connected(3)) {
      byte[] much = new byte[HeldAnswers.BYTES_MAX];
      int told = 0;
      while (lines.takes(3)) {
        lines.tell(3, much);
        told++;
      }
      lines.tell(3, new byte[] {7});
      byte[] all = read(slow, told * much.length + 1);
      assertEquals(7, all[all.length - 1]);
      while (!lines.takes(3)) {
        Thread.onSpinWait();
      }
      assertTrue(lines.takes(3));
    }
  }
}
