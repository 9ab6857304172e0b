package io.millrace.server.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says what happens when it happens first, and then once a minute, with how often it happened
 * since: what users do as often as they like must not fill the log.
 */
public final class SparseLog {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int LINES_MAX = 1000;

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final Map<String, SaidLine> said = new HashMap<>();

  /** When a line was said, and how often it would have been since. */
  private record SaidLine(long atNanos, long since) {}

  /**
   * @param nanos as System.nanoTime
   */
  public SparseLog(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  /**
   * Says it, or counts it.
   *
   * @param line has the user's name, and nothing that he can choose
   */
  public synchronized void say(String line) {
    long now = nanos.getAsLong();
    SaidLine before = said.get(line);
    if (before != null && now - before.atNanos() < PAUSE_NANOS) {
      said.put(line, new SaidLine(before.atNanos(), before.since() + 1));
      return;
    }
    if (said.size() >= LINES_MAX) {
      said.clear();
    }
    said.put(line, new SaidLine(now, 0));
    log.accept(
        before == null || before.since() == 0
            ? line
            : line + ", and " + before.since() + " times before");
  }
}
