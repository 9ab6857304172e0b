package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Deque;

/**
 * Frames over one connection, each read and write with a time limit. A blocking channel has no
 * limit of its own: {@link Deadlines} closes the channel from outside when one has passed.
 */
final class FrameSocket implements FrameChannel, AutoCloseable {
  private static final int BUFFER = 32 * 1024;
  private static final long NO_DEADLINE = Long.MAX_VALUE;

  private final SocketChannel channel;
  private final Duration stalledWrite;
  private final CommandHandler.ClientWaits waits;
  private final Deque<ByteBuffer> ahead;
  private ByteBuffer in = ByteBuffer.allocate(0);
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER);
  private final long epochNanos = System.nanoTime();
  private volatile long deadlineNanos = NO_DEADLINE;
  private volatile boolean timedOut;

  /**
   * @param waits told when the client is waited for
   * @param ahead what was read of the channel already
   */
  FrameSocket(
      SocketChannel channel,
      Duration stalledWrite,
      CommandHandler.ClientWaits waits,
      Deque<ByteBuffer> ahead) {
    this.channel = channel;
    this.stalledWrite = stalledWrite;
    this.waits = waits;
    this.ahead = ahead;
  }

  SocketChannel channel() {
    return channel;
  }

  @Override
  public void arm(Duration limit) {
    deadlineNanos = System.nanoTime() - epochNanos + limit.toNanos();
  }

  @Override
  public void disarm() {
    deadlineNanos = NO_DEADLINE;
  }

  boolean timedOut() {
    return timedOut;
  }

  /** Called by {@link Deadlines}: closes the connection when its time limit has passed. */
  void closeIfLate() throws IOException {
    if (System.nanoTime() - epochNanos > deadlineNanos) {
      timedOut = true;
      channel.close();
    }
  }

  @Override
  public Frame receive(Duration limit) throws IOException {
    arm(limit);
    Frame frame = receive();
    disarm();
    return frame;
  }

  @Override
  public Frame receive() throws IOException {
    byte[] head = new byte[Frames.HEADER];
    read(head);
    int length = ByteBuffer.wrap(head).getInt(1);
    if (length < 0 || length > Frames.PAYLOAD_MAX) {
      throw new ProtocolException(
          "a frame of " + Integer.toUnsignedLong(length) + " bytes, at most " + Frames.PAYLOAD_MAX);
    }
    byte[] payload = new byte[length];
    read(payload);
    return new Frame(head[0] & 0xff, payload);
  }

  private void read(byte[] into) throws IOException {
    int at = 0;
    while (at < into.length) {
      if (!in.hasRemaining()) {
        more();
      }
      int part = Math.min(in.remaining(), into.length - at);
      in.get(into, at, part);
      at += part;
    }
  }

  private void more() throws IOException {
    if (!ahead.isEmpty()) {
      in = ahead.removeFirst();
      return;
    }
    if (in.capacity() != BUFFER) {
      in = ByteBuffer.allocate(BUFFER);
    }
    in.clear();
    int got = channel.read(in);
    in.flip();
    if (got < 0) {
      throw new EOFException("the client closed the connection");
    }
  }

  /** Sends by itself when the buffer is full. */
  @Override
  public void send(int type, byte[] payload, int from, int length) throws IOException {
    if (out.remaining() < Frames.HEADER) {
      flush();
    }
    out.put((byte) type).putInt(length);
    int at = from;
    while (at < from + length) {
      if (!out.hasRemaining()) {
        flush();
      }
      int part = Math.min(out.remaining(), from + length - at);
      out.put(payload, at, part);
      at += part;
    }
  }

  @Override
  public void flush() throws IOException {
    out.flip();
    waits.begin();
    try {
      while (out.hasRemaining()) {
        arm(stalledWrite);
        channel.write(out);
      }
      disarm();
    } finally {
      waits.end();
    }
    out.clear();
  }

  /** Sends what fits at once and closes; for a caller that no thread waits for. */
  void sendAndForget() throws IOException {
    channel.configureBlocking(false);
    out.flip();
    channel.write(out);
    close();
  }

  @Override
  public boolean peerClosed() {
    try {
      channel.configureBlocking(false);
      // A client sends nothing unasked: a byte here counts as the end of the connection.
      boolean closed = channel.read(ByteBuffer.allocate(1)) != 0;
      channel.configureBlocking(true);
      return closed;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
