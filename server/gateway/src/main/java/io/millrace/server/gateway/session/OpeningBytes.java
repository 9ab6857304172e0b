package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has come of an opening so far. It knows when the rest need not be waited for: all is there,
 * or enough to refuse it. What is wrong with it is found by {@link Opening}, which reads it again.
 */
final class OpeningBytes {
  private static final int PIECE_MIN = 512;
  private static final int PIECE_MAX = 64 * 1024;

  private final int most;
  private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
  private final byte[] head = new byte[Frames.HEADER];
  private int headBytes;
  private int payloadLeft;
  private int payloadBytes;
  private long framed;
  private int version;
  private boolean greeted;
  private boolean ready;

  /**
   * @param most bytes of frames behind the greeting; more is refused
   */
  OpeningBytes(int most) {
    this.most = most;
  }

  /** Adds what came; copies it. */
  void add(ByteBuffer came) {
    scan(came.duplicate());
    while (came.hasRemaining()) {
      ByteBuffer last = pieces.peekLast();
      if (last == null || !last.hasRemaining()) {
        int room = Math.max(PIECE_MIN, Math.min(PIECE_MAX, came.remaining()));
        last = ByteBuffer.allocate(room);
        pieces.addLast(last);
      }
      int part = Math.min(last.remaining(), came.remaining());
      last.put(came.slice(came.position(), part));
      came.position(came.position() + part);
    }
  }

  /** Whether there is nothing to wait for. */
  boolean ready() {
    return ready;
  }

  /** Gives away all that came, in pieces that are to be read. */
  Deque<ByteBuffer> take() {
    pieces.forEach(ByteBuffer::flip);
    return pieces;
  }

  private void scan(ByteBuffer came) {
    while (came.hasRemaining() && !ready) {
      if (headBytes < head.length) {
        head[headBytes++] = came.get();
        if (headBytes == head.length) {
          begin(ByteBuffer.wrap(head).getInt(1));
        }
      } else {
        payload(came);
      }
    }
  }

  private void begin(int length) {
    payloadLeft = length;
    payloadBytes = 0;
    if (length < 0 || length > Frames.PAYLOAD_MAX) {
      ready = true;
    } else if (length == 0) {
      end();
    }
  }

  private void payload(ByteBuffer came) {
    int part = Math.min(payloadLeft, came.remaining());
    if (!greeted) {
      // The version stands first, and decides whether anything else is understood.
      for (int i = payloadBytes; i < Math.min(2, payloadBytes + part); i++) {
        version = version << 8 | came.get(came.position() + i - payloadBytes) & 0xff;
      }
    }
    came.position(came.position() + part);
    payloadBytes += part;
    payloadLeft -= part;
    if (payloadLeft == 0) {
      end();
    }
  }

  private void end() {
    int type = head[0] & 0xff;
    headBytes = 0;
    if (!greeted) {
      greeted = true;
      ready = type != Frames.HELLO || version != Frames.VERSION;
      return;
    }
    framed += Frames.HEADER + payloadBytes;
    boolean more = type == Frames.ARG || type == Frames.ENV || type == Frames.DIRECTORY;
    ready = !more || framed > most;
  }
}
