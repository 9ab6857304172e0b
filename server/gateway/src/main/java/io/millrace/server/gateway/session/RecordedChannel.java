package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A channel over the frames of one HTTP request and its answer. */
final class RecordedChannel implements FrameChannel {

  /** The recorded answers of the client end here; the frames sent so far are its next questions. */
  static final class Unanswered extends EOFException {
    private static final long serialVersionUID = 1L;
  }

  /** How many times an answer is in memory at most: in a growing buffer, and as the answer. */
  private static final int COPIES = 3;

  /** More goes back than one answer may hold. */
  static final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final ByteBuffer in;
  private final int most;
  private final SharedBytes room;
  private int held;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * @param frames what the client said
   * @param most bytes that may go back
   * @param room in which they are held
   */
  RecordedChannel(byte[] frames, int most, SharedBytes room) {
    this.in = ByteBuffer.wrap(frames);
    this.most = most;
    this.room = room;
  }

  /** Releases the memory. */
  void release() {
    room.give(COPIES * (long) held);
    held = 0;
  }

  byte[] sent() {
    return out.toByteArray();
  }

  @Override
  public Frame receive(Duration limit) throws IOException {
    return receive();
  }

  @Override
  public Frame receive() throws IOException {
    if (!in.hasRemaining()) {
      throw new Unanswered();
    }
    if (in.remaining() < Frames.HEADER) {
      throw new ProtocolException("a frame that is cut");
    }
    int type = in.get() & 0xff;
    int length = in.getInt();
    if (length < 0 || length > Frames.PAYLOAD_MAX || length > in.remaining()) {
      throw new ProtocolException("a frame of " + Integer.toUnsignedLong(length) + " bytes");
    }
    byte[] payload = new byte[length];
    in.get(payload);
    return new Frame(type, payload);
  }

  @Override
  public void send(int type, byte[] payload, int from, int length) throws IOException {
    if (out.size() + (long) length > most) {
      throw new TooMuch();
    }
    if (!room.take(COPIES * (long) length)) {
      throw new Opening.NoRoomForOpening();
    }
    held += length;
    out.writeBytes(ByteBuffer.allocate(Frames.HEADER).put((byte) type).putInt(length).array());
    out.write(payload, from, length);
  }

  @Override
  public void arm(Duration limit) {
    // Nobody is waited for.
  }

  @Override
  public void disarm() {
    // Nobody is waited for.
  }

  @Override
  public void flush() {
    // Everything is sent at the end.
  }

  @Override
  public boolean peerClosed() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return true;
  }
}
