package io.millrace.server.gateway.trace;

import io.millrace.server.gateway.operand.TextLines;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lines of a log that a user's client reads. It may be any file, also one that never ends: lines
 * are bounded, a longer one is passed over, and so is what stands behind a number of bytes.
 */
final class TracedFileLines implements AutoCloseable {

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private final long bytesMax;
  private long bytes;
  private int number;

  /**
   * @param in is closed with the lines
   * @param bytesMax so many are read
   */
  TracedFileLines(InputStream in, long bytesMax) {
    this.in = new BufferedInputStream(in);
    this.bytesMax = bytesMax;
  }

  /** The next line that is not too long, without its end; null after the last one. */
  String next() throws IOException {
    while (bytes < bytesMax) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      number++;
      line.reset();
      boolean fits = true;
      for (bytes++; next >= 0 && next != '\n' && bytes <= bytesMax; bytes++) {
        fits &= line.size() < TextLines.LINE_BYTES_MAX;
        if (fits) {
          line.write(next);
        }
        next = in.read();
      }
      if (fits) {
        return line.toString(StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  /** Number of the line that came last, from 1; those that are passed over count. */
  int number() {
    return number;
  }

  /** How many bytes were read. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
