package io.millrace.ops.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Standard output or error of a part, up to so many bytes in all. A part prints only a few lines,
 * but a fault must not fill the disk through the file {@code log/PART.out}. Nothing important is
 * lost: the line that a part is ready comes at the beginning, and a dying JVM writes its message
 * directly.
 */
final class BoundedPrint extends OutputStream {

  /** Most bytes that both streams of a part may print together. */
  static final long BYTES_MAX = 4L << 20;

  private static final byte[] END =
      "... a part prints this much only; see its log\n".getBytes(StandardCharsets.US_ASCII);

  private final PrintStream out;
  private final AtomicLong left;

  private BoundedPrint(PrintStream out, AtomicLong left) {
    this.out = out;
    this.left = left;
  }

  /** Makes both streams of this process share a bound. */
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
    // Never below zero, so that only the one write that crosses the bound reports it.
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
