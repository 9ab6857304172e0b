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
  private int ofUsers;
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
    if (now >= mostOf(user)) {
      return false;
    }
    byUser.put(user, now + 1);
    ofUsers++;
    return true;
  }

  /** How many sessions a user may have now. */
  synchronized int mostOf(String user) {
    return (int) share(limit, perUser, ofUsers - byUser.getOrDefault(user, 0));
  }

  synchronized void leave(String user) {
    ofUsers--;
    byUser.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }

  /** Who is alone may have what one user may have; else half of what the others leave. */
  private static long share(long all, long ofUser, long others) {
    return others == 0 ? ofUser : Math.min(ofUser, (all - others + 1) / 2);
  }

  synchronized boolean enterLasting(String user) {
    int ofUser = lastingByUser.getOrDefault(user, 0);
    if (ofUser >= share(lastingMax, lastingOfUserMax, lasting - ofUser)) {
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
    long most = share(openingBytesMax, openingBytesOfUserMax, openingBytes - ofUser);
    if (bytes > 0 && ofUser + bytes > most) {
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
