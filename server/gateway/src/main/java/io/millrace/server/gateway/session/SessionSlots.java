package io.millrace.server.gateway.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Counts the sessions at once, overall and by user; holds no entry for a user without sessions. */
final class SessionSlots {
  private final Semaphore free;
  private final int limit;
  private final int perUser;
  private final Map<String, Integer> byUser = new HashMap<>();

  SessionSlots(SessionLimits limits) {
    limit = limits.sessions();
    free = new Semaphore(limit);
    perUser = limits.sessionsPerUser();
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

  int open() {
    return limit - free.availablePermits();
  }
}
