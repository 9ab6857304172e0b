package io.millrace.server.gateway.link;

import io.millrace.server.http.LocalSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the server of the own home, over which it tells answers as soon as they are
 * committed. Without it, and where other servers decide, they come by their topic.
 */
final class AnswerConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerConnection.class);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** More than the server tells at once; then it is no server. */
  private static final int BYTES_MAX = 128 << 10;

  private final Path socket;
  private final int partition;
  private final Supplier<String> token;
  private final Consumer<byte[]> hear;
  private final AtomicReference<Thread> reader = new AtomicReference<>();
  private volatile SocketChannel open;
  private volatile boolean closed;
  private volatile long notBefore = System.nanoTime();

  /**
   * @param socket where the server listens
   * @param partition the own one of the topic replies
   * @param token that queries must show
   * @param hear told each answer
   */
  AnswerConnection(Path socket, int partition, Supplier<String> token, Consumer<byte[]> hear) {
    this.socket = socket;
    this.partition = partition;
    this.token = token;
    this.hear = hear;
  }

  /** Connects if there is no connection; does not wait for it. */
  void listen() {
    if (reader.get() != null || closed || System.nanoTime() - notBefore < 0) {
      return;
    }
    Thread fresh = new Thread(this::run, "gateway-answers");
    fresh.setDaemon(true);
    if (reader.compareAndSet(null, fresh)) {
      fresh.start();
    }
  }

  private void run() {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      if (!LocalSocket.isOwn(channel)) {
        LOG.warn("refused: another account listens at {}", socket);
        return;
      }
      open = channel;
      if (!closed) {
        read(channel);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("{}: {}", socket, e.toString());
    } finally {
      open = null;
      notBefore = System.nanoTime() + AGAIN_NANOS;
      reader.set(null);
    }
  }

  private void read(SocketChannel channel) throws IOException {
    byte[] shown = token.get().getBytes(StandardCharsets.UTF_8);
    ByteBuffer hello = ByteBuffer.allocate(Integer.BYTES + shown.length);
    hello.putInt(partition).put(shown).flip();
    while (hello.hasRemaining()) {
      channel.write(hello);
    }
    ByteBuffer frames = ByteBuffer.allocate(BYTES_MAX).flip();
    while (true) {
      int length = next(channel, frames, Integer.BYTES).getInt();
      if (length < 0 || length > BYTES_MAX - Integer.BYTES) {
        throw new IOException("an answer of " + length + " bytes");
      }
      byte[] answer = new byte[length];
      next(channel, frames, length).get(answer);
      hear.accept(answer);
    }
  }

  /** Waits until so many bytes are there. */
  private static ByteBuffer next(SocketChannel channel, ByteBuffer frames, int bytes)
      throws IOException {
    while (frames.remaining() < bytes) {
      frames.compact();
      int count = channel.read(frames);
      frames.flip();
      if (count < 0) {
        throw new EOFException("the server has gone");
      }
    }
    return frames;
  }

  @Override
  public void close() {
    closed = true;
    SocketChannel channel = open;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("{}", e.toString());
      }
    }
  }
}
