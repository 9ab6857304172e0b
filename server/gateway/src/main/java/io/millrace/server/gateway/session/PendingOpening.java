package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection whose opening is not there yet. It holds a descriptor and what came, no thread. */
final class PendingOpening {
  private static final Logger LOG = LoggerFactory.getLogger(PendingOpening.class);

  private final SocketChannel channel;
  private final PeerIdentity caller;
  private final SessionRoom room;
  private final OpeningBytes bytes;
  private final long deadlineNanos;

  /**
   * @param room of the session that is to be
   * @param openingBytes the most that an opening may have
   * @param deadlineNanos when it is given up, as System.nanoTime
   */
  PendingOpening(
      SocketChannel channel,
      PeerIdentity caller,
      SessionRoom room,
      int openingBytes,
      long deadlineNanos) {
    this.channel = channel;
    this.caller = caller;
    this.room = room;
    this.bytes = new OpeningBytes(openingBytes);
    this.deadlineNanos = deadlineNanos;
  }

  SocketChannel channel() {
    return channel;
  }

  PeerIdentity caller() {
    return caller;
  }

  String user() {
    return caller.user();
  }

  SessionRoom room() {
    return room;
  }

  OpeningBytes bytes() {
    return bytes;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Ends it; says nothing. */
  void drop() {
    room.close();
    close(channel);
  }

  /** Ends it and asks the client to come again, as far as its system takes that at once. */
  void turnAway(String reason) {
    room.close();
    farewell(channel, frame(Frames.BUSY, reason.getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] frame(int type, byte[] payload) {
    return ByteBuffer.allocate(Frames.HEADER + payload.length)
        .put((byte) type)
        .putInt(payload.length)
        .put(payload)
        .array();
  }

  /** Sends frames to a client that nobody waits for, and closes. */
  static void farewell(SocketChannel channel, byte[]... frames) {
    try {
      for (byte[] frame : frames) {
        channel.write(ByteBuffer.wrap(frame));
      }
    } catch (IOException e) {
      LOG.debug("a caller who was turned away had left: {}", e.getMessage());
    }
    close(channel);
  }

  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("closing a connection: {}", e.getMessage());
    }
  }
}
