package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Frames that came all at once, and those that go back all at once. */
final class RecordedChannel implements FrameChannel {

  /** The client has not answered this far; it is asked with what was sent. */
  static final class Unanswered extends EOFException {
    private static final long serialVersionUID = 1L;
  }

  /** How often an answer is held at most: in a buffer that grows, and as the answer. */
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

  /** Gives up what is held. */
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
      throw new Opening.NoRoom();
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
    // All goes back at the end.
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
