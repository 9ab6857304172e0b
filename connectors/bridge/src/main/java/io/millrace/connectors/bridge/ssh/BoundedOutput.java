package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.OutsideText;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What comes of one output of a command, up to its bound; it never makes who writes wait. */
final class BoundedOutput extends OutputStream {

  private final int most;
  private final Runnable tooLong;
  private final List<byte[]> pieces = new ArrayList<>();
  private int size;
  private boolean over;

  /**
   * @param tooLong called when more comes than is kept
   */
  BoundedOutput(int most, Runnable tooLong) {
    this.most = most;
    this.tooLong = tooLong;
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int begin, int length) {
    boolean more;
    synchronized (this) {
      int kept = Math.min(length, most - size);
      if (kept > 0) {
        pieces.add(Arrays.copyOfRange(bytes, begin, begin + kept));
        size += kept;
      }
      more = kept < length && !over;
      over |= more;
    }
    if (more) {
      tooLong.run();
    }
  }

  synchronized boolean isTooLong() {
    return over;
  }

  synchronized OutsideText text() {
    return OutsideText.ofPieces(pieces);
  }
}
