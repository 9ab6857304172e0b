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

  /** A host that has refused the job so often keeps it from starting, as what is taken does. */
  private static final int GIVEN_UP_AFTER = 2;

  /**
   * How often a host refused it, or was silent, those of one run taken together, and the run before
   * the last.
   */
  private record Count(int times, long run) {

    Count more(long next) {
      return next == run ? this : new Count(times + 1, next);
    }
  }

  /** Of all hosts that refused it and have not started it since. */
  private final Map<String, Count> counts = new HashMap<>();

  /** Until when hosts are not tried, in ms. */
  private final Map<String, Long> avoided = new HashMap<>();

  /** In a row, since a task of the job started; those that belong to one run are one. */
  private int inARow;

  /** Runs that looked at the job. */
  private long runs;

  /** The one before the last refusal. */
  private long refusedRun = -1;

  /** When a run looked at it last, in ms. */
  private long triedMs = -1;

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
    for (String host : hosts) {
      avoided.merge(host, untilMs, Math::max);
      counts.put(host, counts.getOrDefault(host, new Count(0, -1)).more(runs));
    }
  }

  /** Whether there are hosts that are not tried now. */
  boolean any() {
    return !avoided.isEmpty();
  }

  /**
   * Whether the run of this time looked at the job and left hosts out of which each may yet take
   * it: none has refused it again when it was tried anew.
   */
  boolean mayPass(long nowMs) {
    return triedMs == nowMs
        && !avoided.isEmpty()
        && counts.values().stream().noneMatch(count -> count.times() >= GIVEN_UP_AFTER);
  }

  /** These have not refused it: the shard started it there all the same. */
  void disproved(Set<String> hosts) {
    avoided.keySet().removeAll(hosts);
    counts.keySet().removeAll(hosts);
  }

  /** A task of the job has started on these; they may have refused another one since. */
  void started(Set<String> hosts) {
    inARow = 0;
    counts.keySet().removeAll(hosts);
  }

  /** The job asks for something else, or there is something else to be had. */
  void forgiven() {
    avoided.clear();
    counts.clear();
    inARow = 0;
  }

  /** A run looks at the job: hosts that were avoided for long enough are tried again. */
  void tried(long nowMs) {
    runs++;
    triedMs = nowMs;
    avoided.values().removeIf(untilMs -> untilMs <= nowMs);
  }
}
