package io.millrace.server.streams;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Whether, and after which pause, the thread of the shards is replaced once more. Failures that may
 * end with the broker's recovery are tolerated for ever; another failure that keeps coming back
 * ends the process, so that it is noticed.
 */
final class ThreadReplacement {
  static final int LASTING_MAX = 60;
  static final long WINDOW_MS = 10 * 60_000;
  static final long PAUSE_MAX_MS = 5_000;
  private static final long PAUSE_MS = 100;
  private static final long RECENT_MS = 60_000;

  private final Deque<Long> lasting = new ArrayDeque<>();
  private long lastMs = Long.MIN_VALUE / 2;
  private long pauseMs;

  /** Notes a failure; empty when there were too many. */
  synchronized OptionalLong pauseMs(Throwable root, long nowMs) {
    // Who is in the broker's place and cannot prove to be the broker may be gone before long.
    boolean strangeBroker = root instanceof AuthenticationException;
    if (!(root instanceof RetriableException) && !strangeBroker) {
      lasting.add(nowMs);
      while (nowMs - lasting.peek() > WINDOW_MS) {
        lasting.remove();
      }
      if (lasting.size() > LASTING_MAX) {
        return OptionalLong.empty();
      }
    }
    // The first failure after a while is retried at once.
    boolean recent = nowMs - lastMs <= RECENT_MS;
    pauseMs = recent ? Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, 2 * pauseMs)) : 0;
    lastMs = nowMs;
    return OptionalLong.of(pauseMs);
  }
}
