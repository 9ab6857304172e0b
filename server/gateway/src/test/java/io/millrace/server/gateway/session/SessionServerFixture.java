package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a session server that speak to its socket themselves. */
abstract class SessionServerFixture {
  static final byte[] HELLO = {0, 1};

  @TempDir Path directory;

  Path socket() {
    return directory.resolve("run/gateway.sock");
  }

  /** A client that has sent its opening at once: whoever waits with it is given up. */
  Raw opened(String... args) throws IOException {
    Raw raw = new Raw(socket());
    raw.open(args);
    return raw;
  }

  static SessionLimits limits(int sessions, int perUser, SessionTimeouts timeouts) {
    return new SessionLimits(sessions, perUser, 2, 2, 64 * 1024, timeouts);
  }

  /** A connection that speaks in bytes. */
  static final class Raw implements AutoCloseable {
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

  static void await(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(2))
        .until(condition::getAsBoolean);
  }

  /** A caller may be turned away before all that he had to say was sent. */
  static void assertTurnedAway(IOException failure) {
    String said = failure.getMessage();
    assertTrue(said.equals("Broken pipe") || said.startsWith("Connection reset"), said);
  }
}
