package io.millrace.server.gateway.session;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Bytes that the client reads piece by piece when they are asked for: at most one piece is on its
 * way, so that neither side holds more than that.
 */
final class RequestedStream extends InputStream {

  /** Asks the client for the next piece; an empty one is the end. */
  interface PieceSource {
    byte[] next() throws IOException;

    void close() throws IOException;
  }

  private final PieceSource source;
  private byte[] piece = new byte[0];
  private int at;
  private boolean ended;
  private boolean closed;

  RequestedStream(PieceSource source) {
    this.source = source;
  }

  @Override
  public int read() throws IOException {
    return fill() ? piece[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int part = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, into, from, part);
    at += part;
    return part;
  }

  @Override
  public int available() {
    return piece.length - at;
  }

  private boolean fill() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (at == piece.length && !ended) {
      piece = source.next();
      at = 0;
      ended = piece.length == 0;
    }
    return at < piece.length;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      source.close();
    }
  }
}
