package io.millrace.schedulers.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of a byte stream, which end in LF, CR LF or CR. A line's length is bounded, since a file
 * that is no text may be one line; what is beyond is passed over. So is the byte order mark that
 * some editors put before the first line. Reads bytes itself, so that a stream that fails loses no
 * line that came before.
 */
final class LineSource {

  /** The byte order mark of UTF-8, byte by byte. */
  private static final String MARK = "\u00ef\u00bb\u00bf";

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final int longest;
  private char[] line = new char[4096];
  private int at;
  private int end;
  private boolean first = true;
  private boolean afterReturn;

  /**
   * @param longest characters of a line that are kept
   */
  LineSource(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  /** The next line without its end, or null. */
  String next() throws IOException {
    int length = 0;
    boolean any = false;
    while (at < end || fill()) {
      byte b = buffer[at++];
      boolean secondOfEnd = afterReturn && b == '\n';
      afterReturn = b == '\r';
      if (secondOfEnd) {
        continue;
      }
      any = true;
      if (b == '\n' || b == '\r') {
        break;
      }
      if (length < longest) {
        if (length == line.length) {
          line = Arrays.copyOf(line, Math.min(longest, 2 * length));
        }
        line[length++] = (char) (b & 0xff);
      }
    }
    String text = any ? new String(line, 0, length) : null;
    boolean marked = first && any && text.startsWith(MARK);
    first = false;
    return marked ? text.substring(MARK.length()) : text;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
