package io.millrace.server.gateway.operand;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Lines of UTF-8 text that a user sends. Each is bounded: a file without line ends must not fill
 * the memory of the gateway, which belongs to all users of the host.
 */
public final class TextLines implements AutoCloseable {

  public static final int LINE_BYTES_MAX = 256 << 10;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private long number;
  private boolean cut;

  /** Lines of this stream, which is closed with them. */
  public TextLines(InputStream in) {
    this.in = in;
  }

  /** A line that cannot be used; the message begins with "line N". */
  public static final class WrongLine extends Exception {
    private static final long serialVersionUID = 1L;

    WrongLine(long number, String what) {
      super("line " + number + " " + what);
    }
  }

  /** The next line without its end (LF or CR LF), or null after the last one. */
  public String next() throws IOException, WrongLine {
    int next = in.read();
    if (next < 0) {
      return null;
    }
    number++;
    line.reset();
    while (next >= 0 && next != '\n') {
      if (line.size() == LINE_BYTES_MAX) {
        throw new WrongLine(number, "has more than " + LINE_BYTES_MAX + " bytes");
      }
      line.write(next);
      next = in.read();
    }
    cut = next < 0;
    byte[] bytes = line.toByteArray();
    int length = bytes.length;
    if (length > 0 && bytes[length - 1] == '\r') {
      length--;
    }
    try {
      ByteBuffer text = ByteBuffer.wrap(bytes, 0, length);
      return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    } catch (CharacterCodingException e) {
      throw new WrongLine(number, "is not UTF-8 text");
    }
  }

  /** Number of the line that came last, from 1. */
  public long number() {
    return number;
  }

  /** Whether the line that came last has no line end. */
  public boolean cut() {
    return cut;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
