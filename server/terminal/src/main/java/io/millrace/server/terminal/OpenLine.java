package io.millrace.server.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Output whose last line, as long as it has no end, is kept: that is what a command asks with, and
 * the editor shows it itself, as often as it draws the line anew.
 */
final class OpenLine extends OutputStream {
  private final OutputStream out;
  private byte[] kept = new byte[0];

  OpenLine(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int end = offset + length;
    int from = end;
    while (from > offset && bytes[from - 1] != '\n') {
      from--;
    }
    if (from > offset) {
      show();
      out.write(bytes, offset, from - offset);
    }
    int before = kept.length;
    kept = Arrays.copyOf(kept, before + end - from);
    System.arraycopy(bytes, from, kept, before, end - from);
  }

  /** The line without an end, which is not shown any more. */
  String take() {
    String line = new String(kept, StandardCharsets.UTF_8);
    kept = new byte[0];
    return line;
  }

  private void show() throws IOException {
    byte[] line = kept;
    kept = new byte[0];
    out.write(line);
  }

  /** Another output to the same terminal, before which the line that is kept is shown. */
  OutputStream before(OutputStream other) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        show();
        other.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        show();
        other.write(bytes, offset, length);
      }
    };
  }

  /** Shows what is kept; the output underneath stays open. */
  @Override
  public void close() throws IOException {
    show();
  }
}
