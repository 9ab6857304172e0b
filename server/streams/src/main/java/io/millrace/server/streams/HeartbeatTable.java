package io.millrace.server.streams;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The last heartbeats of executors, in pulses of this process. Executors are told apart also under
 * one host name. Beats and pulses come from one thread, questions from any.
 */
final class HeartbeatTable implements ExecutorLiveness {
  /** A heartbeat at most this many pulses old counts as just received. */
  private static final long RECENT = 1;

  /** An executor that was neither heard nor asked for during so many seconds is forgotten. */
  private static final long KEPT_S = TimeUnit.HOURS.toSeconds(1);

  /** Most executors, and longest names, that are heard without being known by a shard. */
  static final int STRANGERS_MAX = 50_000;

  private static final int NAME_MAX = 255;

  private static final long NEVER = -1;

  private record ExecutorKey(String host, String executor) {}

  /**
   * Pulse numbers of an executor.
   *
   * @param beat the last one before its heartbeat
   * @param since the one from which on it is missed
   * @param used the one at which it was heard or asked for last
   */
  private record Signs(long beat, long since, long used) {}

  private final Map<ExecutorKey, Signs> signs = new ConcurrentHashMap<>();
  private final long pulseS;
  private volatile long pulses;

  /**
   * @param pulseS seconds from one pulse to the next
   */
  HeartbeatTable(long pulseS) {
    this.pulseS = pulseS;
  }

  /** A heartbeat has arrived. */
  void beat(String host, String executor) {
    ExecutorKey key = new ExecutorKey(host, executor);
    boolean sound = host.length() <= NAME_MAX && executor.length() <= NAME_MAX;
    if (sound && signs.size() < STRANGERS_MAX || signs.containsKey(key)) {
      signs.put(key, new Signs(pulses, pulses, pulses));
    }
  }

  /** A pulse has arrived. */
  void pulse() {
    pulses = pulses + 1; // written by this thread only
    long kept = KEPT_S / pulseS;
    if (pulses % kept == 0) {
      signs.values().removeIf(it -> pulses - it.used() > kept);
    }
  }

  @Override
  public void cameUp(String host, String executor) {
    signs.compute(
        new ExecutorKey(host, executor),
        (key, known) -> new Signs(known == null ? NEVER : known.beat(), pulses, pulses));
  }

  /** An executor that is not known counts as silent from now on. */
  @Override
  public long unheardS(String host, String executor) {
    Signs found =
        signs.compute(
            new ExecutorKey(host, executor),
            (key, known) ->
                known == null
                    ? new Signs(NEVER, pulses, pulses)
                    : new Signs(known.beat(), known.since(), pulses));
    return (found.used() - found.since()) * pulseS;
  }

  @Override
  public boolean beats(String host, String executor) {
    Signs known = signs.get(new ExecutorKey(host, executor));
    return known != null && known.beat() != NEVER && pulses - known.beat() <= RECENT;
  }

  /** How many were heard just now. */
  long heard() {
    return signs.values().stream()
        .filter(it -> it.beat() != NEVER && pulses - it.beat() <= RECENT)
        .count();
  }

  /** Whether any was heard or asked for in the last seconds, as pulses tell them. */
  boolean usedWithin(long seconds) {
    return signs.values().stream().anyMatch(it -> (pulses - it.used()) * pulseS <= seconds);
  }

  /** How many are remembered. */
  int size() {
    return signs.size();
  }
}
