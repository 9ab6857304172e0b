package io.millrace.connectors.bridge.ssh;

import java.util.Map;

/** Signals as SSH tells them. */
final class SshSignals {

  /** What a shell adds to the number of a signal. */
  private static final int SIGNALLED = 128;

  private static final Map<String, Integer> SIGNALS =
      Map.ofEntries(
          Map.entry("HUP", 1),
          Map.entry("INT", 2),
          Map.entry("QUIT", 3),
          Map.entry("ILL", 4),
          Map.entry("ABRT", 6),
          Map.entry("FPE", 8),
          Map.entry("KILL", 9),
          Map.entry("USR1", 10),
          Map.entry("SEGV", 11),
          Map.entry("USR2", 12),
          Map.entry("PIPE", 13),
          Map.entry("ALRM", 14),
          Map.entry("TERM", 15));

  private SshSignals() {}

  /** Exit status of a command that a signal has ended, as that of a process of this host. */
  static int status(String signal) {
    return SIGNALLED + SIGNALS.getOrDefault(signal, 0);
  }
}
