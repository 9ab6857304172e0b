package io.millrace.schedulers.simulator;

import java.io.IOException;
import java.io.InputStream;

/**
 * Lines of a byte stream. A line's length is bounded, since a file that is no text may be one line;
 * what is beyond is passed over. Reads bytes itself, so that a stream that fails loses no line that
 * came before.
 */
final class LineSource {

  private static final int LENGTH_MAX = 4096;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final char[] line = new char[LENGTH_MAX];
  private int at;
  private int end;

  LineSource(InputStream in) {
    this.in = in;
  }

  /** The next line without its end, or null. */
  String next() throws IOException {
    int length = 0;
    boolean any = false;
    while (at < end || fill()) {
      any = true;
      byte b = buffer[at++];
      if (b == '\n') {
        break;
      }
      if (length < LENGTH_MAX) {
        line[length++] = (char) (b & 0xff);
      }
    }
    return any ? new String(line, 0, length) : null;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
