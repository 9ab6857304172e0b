package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;

/** What Torque's exit statuses say. */
final class TorqueEnds {

  private static final int SIGNALLED = 256;

  /** The wrapper outlives its script, and says 128 and the signal as shells do. */
  private static final int SHELL = 128;

  private static final int SHELL_MOST = 192;

  private TorqueEnds() {}

  /**
   * Below 0 it is Torque that has ended the job or has not begun it, from 256 a signal has. Between
   * 129 and 192 the script of another's job has ended so by itself.
   */
  static OutsideEnd of(int status, boolean ours) {
    String words = "Torque: Exit_status " + status;
    if (status >= SIGNALLED) {
      return new OutsideEnd(-1, status - SIGNALLED, OutsideCause.SIGNALLED, words);
    }
    if (ours && status > SHELL && status <= SHELL_MOST) {
      return new OutsideEnd(-1, status - SHELL, OutsideCause.SIGNALLED, words);
    }
    if (status >= 0) {
      return new OutsideEnd(status, 0, OutsideCause.EXITED, words);
    }
    return OutsideEnd.of(
        switch (status) {
          // Wall time and processor time.
          case -11, -12 -> OutsideCause.TIME_LIMIT;
          case -10 -> OutsideCause.MEMORY;
          // Its files, its program, its output or its control group have kept it from beginning.
          case -1, -2, -8, -9, -13 -> OutsideCause.NOT_BEGUN;
          default -> OutsideCause.UNKNOWN;
        },
        words);
  }
}
