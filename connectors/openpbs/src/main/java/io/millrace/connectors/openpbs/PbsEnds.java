package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;

/** What OpenPBS's exit statuses say. */
final class PbsEnds {

  private static final int SIGNALLED = 256;

  /** The wrapper outlives its script, and says 128 and the signal as shells do. */
  private static final int SHELL = 128;

  private static final int SHELL_MOST = 192;

  private PbsEnds() {}

  /**
   * Below 0 it is PBS that has ended the job or has not begun it, from 256 a signal has. Between
   * 129 and 192 the script of another's job has ended so by itself.
   */
  static OutsideEnd of(int status, boolean ours) {
    String words = "OpenPBS: Exit_status " + status;
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
          // Processor time and wall time.
          case -29, -28 -> OutsideCause.TIME_LIMIT;
          // Memory and address space.
          case -27, -26 -> OutsideCause.MEMORY;
          // Its files, its account, its credentials, a hook or its hosts have kept it from
          // beginning.
          case -1, -2, -3, -10, -13, -17, -21, -23, -30 -> OutsideCause.NOT_BEGUN;
          default -> OutsideCause.UNKNOWN;
        },
        words);
  }
}
