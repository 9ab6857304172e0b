package io.millrace.server.gateway.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.MemoryFolder;
import io.millrace.server.http.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway hears of the server of its home. */
@Timeout(60)
final class AnswerConnectionTest {
  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();

  private AnswerConnection connection(Path socket) {
    return new AnswerConnection(socket, 3, () -> "t0ken", heard::add);
  }

  private static SocketChannel accept(ServerSocketChannel server) throws IOException {
    SocketChannel channel = server.accept();
    ByteBuffer hello = ByteBuffer.allocate(4 + 5);
    while (hello.hasRemaining() && channel.read(hello) >= 0) {
      Thread.onSpinWait();
    }
    assertEquals(3, hello.flip().getInt());
    assertEquals("t0ken", StandardCharsets.UTF_8.decode(hello).toString());
    return channel;
  }

  @Test
  void hearsEachAnswerHoweverItComes() throws Exception {
    Path socket = folder.resolve("answers.sock");
    try (ServerSocketChannel server = LocalSocket.listen(socket);
        AnswerConnection connection = connection(socket)) {
      connection.listen();
      connection.listen();
      try (SocketChannel channel = accept(server)) {
        byte[] stream = {0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1, 9};
        for (byte each : stream) {
          channel.write(ByteBuffer.wrap(new byte[] {each}));
        }
        assertArrayEquals(new byte[] {7, 8}, heard.take());
        assertArrayEquals(new byte[0], heard.take());
        assertArrayEquals(new byte[] {9}, heard.take());
        channel.write(ByteBuffer.wrap(new byte[] {-1, 0, 0, 0}));
        assertEquals(-1, channel.read(ByteBuffer.allocate(1)), "that is no server");
      }
    }
  }

  @Test
  void connectsAgainWithALaterCommand() throws Exception {
    Path socket = folder.resolve("answers.sock");
    AnswerConnection connection = connection(socket);
    connection.listen();
    try (ServerSocketChannel server = LocalSocket.listen(socket)) {
      server.configureBlocking(false);
      SocketChannel channel = null;
      while (channel == null) {
        connection.listen();
        channel = server.accept();
        Thread.onSpinWait();
      }
      connection.close();
      channel.configureBlocking(true);
      ByteBuffer hello = ByteBuffer.allocate(64);
      while (channel.read(hello) >= 0) {
        Thread.onSpinWait();
      }
      channel.close();
      connection.listen();
      assertNull(server.accept(), "it was closed");
    }
    assertNull(heard.poll(1, TimeUnit.MILLISECONDS));
  }
}
