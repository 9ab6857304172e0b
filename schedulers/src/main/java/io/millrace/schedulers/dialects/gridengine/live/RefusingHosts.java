package io.millrace.schedulers.dialects.gridengine.live;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Hosts where the shard refused to start a job: it tries others, and these again after a while.
 * What it is refused says nothing of other jobs.
 */
final class RefusingHosts {

  /** The longest while is two to this power as long as the first. */
  private static final int DOUBLED_MAX = 6;

  /** Until when hosts are not tried, in ms. */
  private final Map<String, Long> avoided = new HashMap<>();

  /** In a row, since a task of the job started; those that belong to one run are one. */
  private int inARow;

  /** Runs that looked at the job. */
  private long runs;

  /** The one before the last refusal. */
  private long refusedRun = -1;

  Set<String> avoided() {
    return Set.copyOf(avoided.keySet());
  }

  /**
   * The while is twice as long after each refusal. Tasks that a run proposed together are refused
   * one by one, and count once.
   *
   * @param heard whether the shard has said so; silence is never more than the first while
   * @param restMs the first while
   */
  void refused(Set<String> hosts, boolean heard, long nowMs, long restMs) {
    boolean another = runs != refusedRun && hosts.stream().noneMatch(avoided::containsKey);
    if (heard && (inARow == 0 || another)) {
      inARow++;
    }
    refusedRun = runs;
    int doubled = heard ? Math.min(inARow - 1, DOUBLED_MAX) : 0;
    long untilMs = nowMs + (restMs << doubled);
    hosts.forEach(host -> avoided.merge(host, untilMs, Math::max));
  }

  /** Whether there are hosts that are not tried now. */
  boolean any() {
    return !avoided.isEmpty();
  }

  /** These have not refused it: the shard started it there all the same. */
  void disproved(Set<String> hosts) {
    avoided.keySet().removeAll(hosts);
  }

  /** A task of the job has started. */
  void started() {
    inARow = 0;
  }

  /** The job asks for something else, or there is something else to be had. */
  void forgiven() {
    avoided.clear();
    inARow = 0;
  }

  /** A run looks at the job: hosts that were avoided for long enough are tried again. */
  void tried(long nowMs) {
    runs++;
    avoided.values().removeIf(untilMs -> untilMs <= nowMs);
  }
}
