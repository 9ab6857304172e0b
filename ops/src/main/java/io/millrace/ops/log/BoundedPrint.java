package io.millrace.ops.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Standard output or error of a part, up to so many bytes in all. A part prints a few lines; should
 * something print without end, the file {@code log/PART.out} must not fill the disk. What is looked
 * for there is not lost: that a part is ready stands at the beginning, and why it died is written
 * by the Java machine itself, which does not come this way.
 */
final class BoundedPrint extends OutputStream {

  /** What both streams of a part may print together. */
  static final long BYTES_MAX = 4L << 20;

  private static final byte[] END =
      "... a part prints this much only; see its log\n".getBytes(StandardCharsets.US_ASCII);

  private final PrintStream out;
  private final AtomicLong left;

  private BoundedPrint(PrintStream out, AtomicLong left) {
    this.out = out;
    this.left = left;
  }

  /** From now on both streams of this process share a bound. */
  static void install(long bytesMax) {
    AtomicLong left = new AtomicLong(bytesMax);
    System.setOut(bounded(System.out, left));
    System.setErr(bounded(System.err, left));
  }

  static PrintStream bounded(PrintStream out, AtomicLong left) {
    return new PrintStream(new BoundedPrint(out, left), true);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    // Never below zero: whoever crosses the bound says so, and nobody after him.
    long before = left.getAndUpdate(bytesLeft -> Math.max(0, bytesLeft - length));
    if (before > 0) {
      out.write(bytes, from, (int) Math.min(before, length));
      if (before <= length) {
        out.write(END, 0, END.length);
      }
    }
  }

  @Override
  public void flush() {
    out.flush();
  }
}
