package io.millrace.server.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all connections together may hold, each kind apart: who has not proven who he is takes no
 * room from those who have, and nobody's bodies take that of answers.
 */
final class RequestMemory {

  /** A body is there as bytes, as text, as what was read from it, and as what goes on from here. */
  static final int COPIES = 4;

  final Part known;
  final Part strangers;
  final Part answers;

  RequestMemory(HttpLimits.Memory limits) {
    this.known = new Part(limits.known());
    this.strangers = new Part(limits.strangers());
    this.answers = new Part(limits.answers());
  }

  long held() {
    return known.held.get() + strangers.held.get() + answers.held.get();
  }

  /** Bytes of one kind. */
  static final class Part {
    private final long most;
    private final AtomicLong held = new AtomicLong();

    private Part(long most) {
      this.most = most;
    }

    /** False when there is no room for these bytes now. */
    private boolean take(long bytes) {
      if (held.addAndGet(bytes) > most) {
        held.addAndGet(-bytes);
        return false;
      }
      return true;
    }
  }

  /** What one connection holds, of one kind at a time. Used by the connection's thread only. */
  static final class Share {
    private Part part;
    private long bytes;

    /** Gives back all, and takes of this kind from now on. */
    void of(Part next) {
      give();
      part = next;
    }

    boolean take(long more) {
      boolean taken = part.take(more);
      bytes += taken ? more : 0;
      return taken;
    }

    void give() {
      if (bytes > 0) {
        part.held.addAndGet(-bytes);
        bytes = 0;
      }
    }
  }
}
