package io.millrace.server.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Standard input that is made of edited lines; asks for one when it is read, not before. */
final class EditedInput extends InputStream {

  /** Where lines come from. */
  interface EditedLines {
    /** The next line without its end, or null after the last one. */
    String next() throws IOException;
  }

  private final EditedLines lines;
  private byte[] line = new byte[0];
  private int at;
  private boolean ended;

  EditedInput(EditedLines lines) {
    this.lines = lines;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == line.length && !ended) {
      String next = lines.next();
      ended = next == null;
      line = ended ? new byte[0] : (next + "\n").getBytes(StandardCharsets.UTF_8);
      at = 0;
    }
    if (at == line.length) {
      return -1;
    }
    int part = Math.min(length, line.length - at);
    System.arraycopy(line, at, into, offset, part);
    at += part;
    return part;
  }
}
