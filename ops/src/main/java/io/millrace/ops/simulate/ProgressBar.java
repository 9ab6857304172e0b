package io.millrace.ops.simulate;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A progress bar that is redrawn in place, on a terminal only. */
final class ProgressBar {

  private static final int WIDTH = 30;
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private final String name;
  private final LongSupplier clock;
  private long shownAt;
  private boolean shown;
  private boolean ended;

  /**
   * @param terminal whether the stream is a terminal; otherwise nothing is written
   * @param clock nanoseconds, as of {@link System#nanoTime}
   */
  ProgressBar(PrintStream out, boolean terminal, String name, LongSupplier clock) {
    this.out = out;
    this.terminal = terminal;
    this.name = name;
    this.clock = clock;
    this.shownAt = clock.getAsLong();
  }

  synchronized void at(int done, int all) {
    if (!terminal || ended || clock.getAsLong() - shownAt < INTERVAL_NANOS) {
      return;
    }
    shownAt = clock.getAsLong();
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

  /** Erases the bar for good. */
  synchronized void end() {
    ended = true;
    if (shown) {
      shown = false;
      out.print(ERASE);
      out.flush();
    }
  }
}
