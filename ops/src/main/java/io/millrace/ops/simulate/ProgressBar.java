package io.millrace.ops.simulate;

import java.io.PrintStream;
import java.util.Locale;

/** A bar that is written over, on a terminal only. */
final class ProgressBar {

  private static final int WIDTH = 30;
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private final String name;
  private long shownAt;
  private boolean shown;

  /**
   * @param terminal whether the stream is one; nothing is written without
   */
  ProgressBar(PrintStream out, boolean terminal, String name) {
    this.out = out;
    this.terminal = terminal;
    this.name = name;
    this.shownAt = System.nanoTime();
  }

  void at(int done, int all) {
    if (!terminal || System.nanoTime() - shownAt < INTERVAL_NANOS) {
      return;
    }
    shownAt = System.nanoTime();
    shown = true;
    int filled = (int) ((long) WIDTH * done / all);
    out.printf(
        Locale.ROOT,
        "%s%s [%s%s] %d of %d jobs",
        ERASE,
        name,
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        done,
        all);
    out.flush();
  }

  void end() {
    if (shown) {
      out.print(ERASE);
      out.flush();
    }
  }
}
