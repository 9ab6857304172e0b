package io.millrace.server.http;

import java.util.HashMap;
import java.util.Map;

/**
 * What all connections together may hold, each kind apart: who has not proven who he is takes no
 * room from those who have, and nobody's bodies take that of answers. Of one kind a user has at
 * most half of what the others leave, so that who takes all that he can get leaves as much for
 * those who come.
 */
final class RequestMemory {

  /** A body is there as bytes, as text, as what was read from it, and as what goes on from here. */
  static final int COPIES = 4;

  /** Nobody in particular, with all that there is. */
  static final String NOBODY = "";

  final MemoryOfKind known;
  final MemoryOfKind strangers;
  final MemoryOfKind answers;

  RequestMemory(HttpLimits.HttpMemoryLimits limits) {
    this.known = new MemoryOfKind(limits.known());
    this.strangers = new MemoryOfKind(limits.strangers());
    this.answers = new MemoryOfKind(limits.answers());
  }

  long held() {
    return known.held() + strangers.held() + answers.held();
  }

  /** Bytes of one kind. */
  static final class MemoryOfKind {
    private final long most;
    private final Map<String, Long> byOwner = new HashMap<>();
    private long held;

    private MemoryOfKind(long most) {
      this.most = most;
    }

    private synchronized long held() {
      return held;
    }

    /** False when there is no room for these bytes now. */
    private synchronized boolean take(String owner, long bytes) {
      long own = byOwner.getOrDefault(owner, 0L);
      long left = most - (held - own);
      if (own + bytes > (owner.equals(NOBODY) ? left : left / 2)) {
        return false;
      }
      held += bytes;
      byOwner.put(owner, own + bytes);
      return true;
    }

    private synchronized void give(String owner, long bytes) {
      held -= bytes;
      byOwner.computeIfPresent(
          owner, (name, own) -> own <= bytes ? null : Long.valueOf(own - bytes));
    }
  }

  /** What one connection holds, of one kind at a time. Used by the connection's thread only. */
  static final class MemoryOfConnection {
    private MemoryOfKind part;
    private String owner = NOBODY;
    private long bytes;

    /** Gives back all, and takes of this kind from now on, as this user. */
    void of(MemoryOfKind next, String user) {
      give();
      part = next;
      owner = user;
    }

    boolean take(long more) {
      boolean taken = part.take(owner, more);
      bytes += taken ? more : 0;
      return taken;
    }

    void give() {
      if (bytes > 0) {
        part.give(owner, bytes);
        bytes = 0;
      }
    }
  }
}
