package io.millrace.schedulers.dialects.gridengine.live;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Hosts on which the shard refused to start a job. The job avoids them for a while and tries
 * others; refusals of one job do not affect other jobs.
 */
final class RefusingHosts {

  /** Limit of the doubling: the longest pause is two to this power times the first. */
  private static final int DOUBLED_MAX = 6;

  /** A host that has refused the job this often blocks it as a host without room would. */
  private static final int GIVEN_UP_AFTER = 2;

  /**
   * How often a host refused the job or did not answer, tasks of one run counting once, and the run
   * before the last refusal.
   */
  private record RefusalCount(int times, long run) {

    RefusalCount more(long next) {
      return next == run ? this : new RefusalCount(times + 1, next);
    }
  }

  /** Refusals of each host that has not started the job since. */
  private final Map<String, RefusalCount> counts = new HashMap<>();

  /** Time until which each host is avoided, in ms. */
  private final Map<String, Long> avoided = new HashMap<>();

  /** Refusals in a row since a task of the job last started; those of one run count once. */
  private int inARow;

  /** Number of runs that considered the job. */
  private long runs;

  /** Number of the run before the last refusal. */
  private long refusedRun = -1;

  /** Time of the last run that considered the job, in ms. */
  private long triedMs = -1;

  Set<String> avoided() {
    return Set.copyOf(avoided.keySet());
  }

  /**
   * Records a refusal, which doubles the pause. Tasks that one run proposed together are refused
   * one by one and count once.
   *
   * @param heard true for a refusal; false when no answer came, for which the pause is never
   *     doubled
   * @param restMs length of the first pause in milliseconds
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
      counts.put(host, counts.getOrDefault(host, new RefusalCount(0, -1)).more(runs));
    }
  }

  /** Whether any host is avoided now. */
  boolean any() {
    return !avoided.isEmpty();
  }

  /**
   * Whether the present run considered the job while it avoids hosts each of which may still accept
   * it, because none has refused it repeatedly.
   */
  boolean mayPass(long nowMs) {
    return triedMs == nowMs
        && !avoided.isEmpty()
        && counts.values().stream().noneMatch(count -> count.times() >= GIVEN_UP_AFTER);
  }

  /** These hosts have not refused the job after all: the shard started it there. */
  void disproved(Set<String> hosts) {
    avoided.keySet().removeAll(hosts);
    counts.keySet().removeAll(hosts);
  }

  /** A task of the job has started on these hosts; they may have refused another task since. */
  void started(Set<String> hosts) {
    inARow = 0;
    counts.keySet().removeAll(hosts);
  }

  /** Forgets all refusals, because the job's request or the nodes have changed. */
  void forgiven() {
    avoided.clear();
    counts.clear();
    inARow = 0;
  }

  /** A run considers the job: hosts whose pause is over are tried again. */
  void tried(long nowMs) {
    runs++;
    triedMs = nowMs;
    avoided.values().removeIf(untilMs -> untilMs <= nowMs);
  }
}
