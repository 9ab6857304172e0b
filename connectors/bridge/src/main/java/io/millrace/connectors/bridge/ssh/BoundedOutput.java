package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.KeptOutput;
import io.millrace.connectors.bridge.command.OutsideText;
import java.io.OutputStream;

/** What comes of one output of a command, up to its bound; it never makes who writes wait. */
final class BoundedOutput extends OutputStream {

  private final KeptOutput kept;
  private final Runnable tooLong;
  private boolean told;

  /**
   * @param tooLong called when more comes than is kept
   */
  BoundedOutput(int most, Runnable tooLong) {
    this.kept = new KeptOutput(most);
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
      more = !kept.add(bytes, begin, length) && !told;
      told |= more;
    }
    if (more) {
      tooLong.run();
    }
  }

  boolean isTooLong() {
    return kept.isTooLong();
  }

  OutsideText text() {
    return kept.text();
  }
}
