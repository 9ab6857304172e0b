package io.millrace.server.gateway.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Counts the sessions at once, overall and by user, those of lasting commands apart from the
 * others; holds no entry for a user without sessions.
 */
final class SessionSlots {
  private final Semaphore free;
  private final int limit;
  private final int perUser;
  private final Map<String, Integer> byUser = new HashMap<>();
  private final long openingBytesMax;
  private final long openingBytesOfUserMax;
  private final Map<String, Long> openingBytesByUser = new HashMap<>();
  private long openingBytes;
  private final int lastingMax;
  private final int lastingOfUserMax;
  private final Map<String, Integer> lastingByUser = new HashMap<>();
  private int lasting;

  SessionSlots(SessionLimits limits) {
    limit = limits.sessions();
    free = new Semaphore(limit);
    perUser = limits.sessionsPerUser();
    lastingMax = limits.lasting();
    lastingOfUserMax = limits.lastingPerUser();
    openingBytesMax = (long) SessionLimits.LARGE_OPENINGS * limits.openingBytes();
    openingBytesOfUserMax = openingBytesMax / 2;
  }

  boolean enter() {
    return free.tryAcquire();
  }

  void leave() {
    free.release();
  }

  synchronized boolean enter(String user) {
    int now = byUser.getOrDefault(user, 0);
    if (now >= perUser) {
      return false;
    }
    byUser.put(user, now + 1);
    return true;
  }

  synchronized void leave(String user) {
    byUser.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }

  synchronized boolean enterLasting(String user) {
    int ofUser = lastingByUser.getOrDefault(user, 0);
    if (lasting >= lastingMax || ofUser >= lastingOfUserMax) {
      return false;
    }
    lasting++;
    lastingByUser.put(user, ofUser + 1);
    return true;
  }

  synchronized void leaveLasting(String user) {
    lasting--;
    lastingByUser.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }

  /** Reserves memory for the opening of a session; false when there is none now. */
  synchronized boolean hold(String user, long bytes) {
    long ofUser = openingBytesByUser.getOrDefault(user, 0L);
    if (openingBytes + bytes > openingBytesMax || ofUser + bytes > openingBytesOfUserMax) {
      return false;
    }
    openingBytes += bytes;
    openingBytesByUser.put(user, ofUser + bytes);
    return true;
  }

  synchronized void release(String user, long bytes) {
    openingBytes -= bytes;
    openingBytesByUser.computeIfPresent(
        user, (name, held) -> held <= bytes ? null : Long.valueOf(held - bytes));
  }

  synchronized int open() {
    return limit - free.availablePermits() + lasting;
  }
}
